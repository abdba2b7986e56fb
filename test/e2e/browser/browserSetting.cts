import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';
import { createSandbox, type Sandbox } from '../../../sandbox/createSandbox.cts';
import { demoSignIn } from '../../../scripts/demo/startDemo.cts';
import type { Teardown } from '../../../scripts/demo/teardown.cts';
import {
	placeCommunityPackage,
	recordCommunityPackage,
} from '../../../scripts/n8n/communityPackage.cts';
import type { N8nHost } from '../../../scripts/n8n/host.cts';
import { N8nInstance } from '../../../scripts/n8n/n8nInstance.cts';
import type { Tarball } from '../../../scripts/package/tarball.cts';
import type { Say } from '../../../scripts/progress.cts';
import { provideDebianPrograms } from '../debianPackages.cts';

const SEED = 1;
const ENTRIES_PER_MINUTE = 20;

/** The browser calls nobody but n8n, and needs no graphics. */
const ON_ITS_OWN = [
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
];

export interface BrowserSettingOptions {
	host: N8nHost;
	tarball: Tarball;
	/** What n8n writes stays here. */
	folder: string;
	say: Say;
	teardown: Teardown;
}

/** A real n8n whose owner has signed in once, the package in it, the sandbox and a browser beside it. */
export interface BrowserSetting {
	n8n: N8nInstance;
	sandbox: Sandbox;
	browser: Browser;
}

export async function startBrowserSetting(options: BrowserSettingOptions): Promise<BrowserSetting> {
	const { host, tarball, folder, say, teardown } = options;
	const { chromium: executablePath } = await provideDebianPrograms(['chromium'], say);
	const log = createWriteStream(join(folder, 'sandbox.log'));
	const sandbox = createSandbox({
		seed: SEED,
		log: (line) => log.write(`${line}\n`),
		settings: { console: { ratePerMinute: ENTRIES_PER_MINUTE } },
	});
	await sandbox.listen();
	teardown.add(() => sandbox.close());

	const userFolder = join(folder, 'n8n');
	await placeCommunityPackage(userFolder, tarball);
	const n8n = await N8nInstance.create({ host, userFolder });
	teardown.add(() => n8n.stop());
	await n8n.start();
	await n8n.session.signIn(demoSignIn);
	await recordCommunityPackage(host, n8n, tarball);

	const browser = await chromium.launch({
		executablePath,
		args: [...ON_ITS_OWN, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
		// The signals are the run's: its teardown closes the browser.
		handleSIGINT: false,
		handleSIGTERM: false,
		handleSIGHUP: false,
	});
	teardown.add(() => browser.close());
	return { n8n, sandbox, browser };
}
