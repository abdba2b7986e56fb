import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSandbox, type Sandbox, type SandboxOptions } from '../../sandbox/createSandbox.cts';
import { buildPackage } from '../package/build.cts';
import { packPackage } from '../package/tarball.cts';
import { cacheFolder } from '../n8n/cacheFolder.cts';
import { placeCommunityPackage, recordCommunityPackage } from '../n8n/communityPackage.cts';
import { provideHost } from '../n8n/host.cts';
import { N8nInstance } from '../n8n/n8nInstance.cts';
import type { SignIn } from '../n8n/session.cts';
import {
	activateWorkflow,
	createWorkflow,
	findWorkflow,
	type SavedWorkflow,
} from '../n8n/workflows.cts';
import { withProgress, type Say } from '../progress.cts';
import { demoCredentials, saveCredentials } from './demoCredentials.cts';
import {
	allExampleFiles,
	exampleFiles,
	readExample,
	withCredentialIds,
} from './exampleWorkflows.cts';
import type { Teardown } from './teardown.cts';

/** For an n8n that only this machine reaches, with nothing in it but the sandbox's own secrets. */
export const demoSignIn: SignIn = { email: 'demo@example.com', password: 'Content-scan-demo-1' };

export interface DemoOptions {
	userFolder: string;
	/** A free port when not given. */
	port?: number;
	sandbox: SandboxOptions;
	say: Say;
	/** Receives how to end each thing, as soon as it runs. */
	teardown: Teardown;
}

export interface Demo {
	n8n: N8nInstance;
	sandbox: Sandbox;
	workflows: Record<keyof typeof exampleFiles, SavedWorkflow>;
}

/**
 * The sandbox and a real n8n beside it, with the package installed as a community package, the
 * credentials made and the examples imported. `activateAuditLog` starts the polling.
 */
export async function startDemo(options: DemoOptions): Promise<Demo> {
	const { say, teardown, userFolder } = options;
	const cache = await cacheFolder();
	teardown.add(cache.discard);
	const host = await provideHost(cache.path, say);
	await withProgress(say, 'Building the package', buildPackage);
	const tarball = await packAside(teardown);

	const sandbox = createSandbox(options.sandbox);
	await sandbox.listen();
	teardown.add(() => sandbox.close());

	await placeCommunityPackage(userFolder, tarball);
	const n8n = await N8nInstance.create({ host, userFolder, port: options.port });
	teardown.add(() => n8n.stop());
	await withProgress(say, 'Starting n8n', () => n8n.start());
	await n8n.session.signIn(demoSignIn);
	await recordCommunityPackage(host, n8n, tarball);

	const { us: scanning, console } = sandbox.addresses;
	const addresses = { scanning, console, token: sandbox.tokenUrl };
	const ids = await saveCredentials(n8n, demoCredentials(addresses));
	const workflows = {
		auditLog: await importExample(n8n, exampleFiles.auditLog, ids),
		scan: await importExample(n8n, exampleFiles.scan, ids),
	};
	for (const file of await allExampleFiles()) await importExample(n8n, file, ids);
	return { n8n, sandbox, workflows };
}

/** Lets the trigger's workflow poll, if it does not already. */
export async function activateAuditLog({ n8n, workflows }: Demo): Promise<void> {
	if (!workflows.auditLog.active) await activateWorkflow(n8n.session, workflows.auditLog);
}

async function packAside(teardown: Teardown) {
	const folder = await mkdtemp(join(tmpdir(), 'content-scan-package-'));
	teardown.add(() => rm(folder, { recursive: true, force: true }));
	return await packPackage(folder);
}

/** Imports an example once: what the user made of it on an earlier start is kept. */
async function importExample(
	n8n: N8nInstance,
	file: string,
	ids: ReadonlyMap<string, string>,
): Promise<SavedWorkflow> {
	const example = await readExample(file);
	const present = await findWorkflow(n8n.session, example.name);
	return present ?? (await createWorkflow(n8n.session, withCredentialIds(example, ids)));
}
