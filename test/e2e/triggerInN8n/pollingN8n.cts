import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSandbox, type Sandbox } from '../../../sandbox/createSandbox.cts';
import { demoCredentials } from '../../../scripts/demo/demoCredentials.cts';
import { demoSignIn } from '../../../scripts/demo/startDemo.cts';
import type { Teardown } from '../../../scripts/demo/teardown.cts';
import { placeCommunityPackage } from '../../../scripts/n8n/communityPackage.cts';
import type { N8nHost } from '../../../scripts/n8n/host.cts';
import { N8nInstance } from '../../../scripts/n8n/n8nInstance.cts';
import {
	createWorkflow,
	saveCredential,
	type SavedWorkflow,
} from '../../../scripts/n8n/workflows.cts';
import type { Tarball } from '../../../scripts/package/tarball.cts';
import { ConsolePolls } from './consolePolls.cts';
import { auditLogWorkflow, type TriggerSetup } from './auditLogWorkflow.cts';

/** Settings that shorten what a test would wait for, and change nothing about polls and executions. */
const SOON_READY: Record<string, string> = {
	// n8n takes up an activation that a crash interrupted once its lease has run out, by default after
	// two minutes, in which the trigger does not poll.
	N8N_WORKFLOW_PUBLICATION_OUTBOX_LEASE_SECONDS: '10',
	N8N_WORKFLOW_PUBLICATION_OUTBOX_POLL_INTERVAL_MS: '1000',
	// Without processes of its own for code that no node here has.
	N8N_RUNNERS_MODE: 'external',
	N8N_RUNNERS_AUTH_TOKEN: randomUUID(),
};

export interface PollingN8nOptions {
	host: N8nHost;
	tarball: Tarball;
	/** n8n settings, as environment variables. */
	settings: Record<string, string>;
	/** Entries that the console gets in each minute, from the start on. */
	entriesPerMinute: number;
	seed: number;
	/** Receives how to end each thing, as soon as it runs. */
	teardown: Teardown;
	/** Where n8n's user folder is made and left; without it, it goes away with the teardown. */
	folder?: string;
}

/** A real n8n with the package installed, and the sandbox whose console its triggers poll. */
export interface PollingN8n {
	host: N8nHost;
	n8n: N8nInstance;
	sandbox: Sandbox;
	/** The polls of all triggers, as the console sees them. */
	polls: ConsolePolls;
	/** Saves a workflow that begins with the trigger, not activated yet. */
	addWorkflow(setup: TriggerSetup): Promise<SavedWorkflow>;
}

/** Starts both, n8n on an empty folder of its own. The console has no entry older than this. */
export async function startPollingN8n(options: PollingN8nOptions): Promise<PollingN8n> {
	const { host, settings, teardown, entriesPerMinute, seed } = options;
	const polls = new ConsolePolls();
	const sandbox = createSandbox({
		seed,
		log: polls.note,
		settings: { console: { historyEntries: 0, ratePerMinute: entriesPerMinute } },
	});
	const { us: scanning, console } = await sandbox.listen();
	teardown.add(() => sandbox.close());

	const userFolder = await mkdtemp(join(options.folder ?? tmpdir(), 'content-scan-kill-'));
	if (!options.folder) {
		teardown.add(() => rm(userFolder, { recursive: true, force: true, maxRetries: 5 }));
	}
	await placeCommunityPackage(userFolder, options.tarball);
	const n8n = await N8nInstance.create({
		host,
		userFolder,
		settings: { ...SOON_READY, ...settings },
	});
	teardown.add(() => n8n.kill());
	await n8n.start();
	await n8n.session.signIn(demoSignIn);

	const [credential] = demoCredentials({ scanning, console, token: sandbox.tokenUrl }).filter(
		({ type }) => type === 'browserConsoleHeadersApi',
	);
	const credentialId = await saveCredential(n8n.session, credential);
	return {
		host,
		n8n,
		sandbox,
		polls,
		addWorkflow: async (setup) =>
			await createWorkflow(
				n8n.session,
				auditLogWorkflow({ ...setup, credential: { id: credentialId, name: credential.name } }),
			),
	};
}
