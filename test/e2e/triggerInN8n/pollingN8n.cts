import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSandbox, type Sandbox } from '../../../sandbox/createSandbox.cts';
import type { SavedCredentials } from '../../../scripts/demo/demoCredentials.cts';
import { demoCredentials, saveCredentials } from '../../../scripts/demo/demoCredentials.cts';
import { demoSignIn } from '../../../scripts/demo/startDemo.cts';
import type { Teardown } from '../../../scripts/demo/teardown.cts';
import { placeCommunityPackage } from '../../../scripts/n8n/communityPackage.cts';
import type { N8nHost } from '../../../scripts/n8n/host.cts';
import { N8nInstance } from '../../../scripts/n8n/n8nInstance.cts';
import {
	createWorkflow,
	type CredentialDetails,
	type SavedWorkflow,
} from '../../../scripts/n8n/workflows.cts';
import type { Tarball } from '../../../scripts/package/tarball.cts';
import { TriggerPolls } from './triggerPolls.cts';
import { auditLogTrigger, type PolledTrigger } from './polledTrigger.cts';
import { triggerWorkflow, type TriggerSetup } from './triggerWorkflow.cts';

/** Settings that shorten what a test would wait for, and change nothing about polls and executions. */
export const SOON_READY: Record<string, string> = {
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
	/** Put in place before the start; without it, n8n starts without the package. */
	tarball?: Tarball;
	/** n8n settings, as environment variables. */
	settings: Record<string, string>;
	/** The audit log's unless told. */
	trigger?: PolledTrigger;
	/** Entries that come in each minute from the start on; of scans a quarter as many. */
	entriesPerMinute: number;
	seed: number;
	/** Receives how to end each thing, as soon as it runs. */
	teardown: Teardown;
	/**
	 * Where n8n's user folder and the sandbox's log are made and left; without it, they go away with the
	 * teardown.
	 */
	folder?: string;
}

/** A real n8n with the package installed, and the sandbox that its trigger polls. */
export interface PollingN8n {
	host: N8nHost;
	n8n: N8nInstance;
	sandbox: Sandbox;
	/** The polls of all triggers, as the sandbox sees them. */
	polls: TriggerPolls;
	/** What a user would type into the credential forms to reach the sandbox. */
	credentialDetails: readonly CredentialDetails[];
	/** Saves them, once; their ids by name. The package has to be there. */
	credentials(): Promise<SavedCredentials>;
	/** Saves a workflow that begins with the trigger, not activated yet. */
	addWorkflow(setup: TriggerSetup): Promise<SavedWorkflow>;
}

/** Starts both, n8n on an empty folder of its own. The sandbox has nothing older than this. */
export async function startPollingN8n(options: PollingN8nOptions): Promise<PollingN8n> {
	const { host, settings, teardown, entriesPerMinute, seed, trigger = auditLogTrigger } = options;
	const userFolder = await mkdtemp(join(options.folder ?? tmpdir(), 'content-scan-n8n-'));
	if (!options.folder) {
		teardown.add(() => rm(userFolder, { recursive: true, force: true, maxRetries: 5 }));
	}
	const polls = new TriggerPolls();
	const sandboxLog = createWriteStream(join(userFolder, 'sandbox.log'));
	const sandbox = createSandbox({
		seed,
		log: (line) => {
			polls.note(line);
			sandboxLog.write(`${line}\n`);
		},
		settings: trigger.nothingYet,
	});
	sandbox.configure(trigger.arrivals(entriesPerMinute));
	const { us: scanning, console } = await sandbox.listen();
	teardown.add(async () => {
		await sandbox.close();
		const calls = JSON.stringify(sandbox.journal.entries(), null, '\t');
		await writeFile(join(userFolder, 'sandbox-journal.json'), calls);
	});

	if (options.tarball) await placeCommunityPackage(userFolder, options.tarball);
	const n8n = await N8nInstance.create({
		host,
		userFolder,
		settings: { ...SOON_READY, ...settings },
	});
	teardown.add(() => n8n.kill());
	await n8n.start();
	await n8n.session.signIn(demoSignIn);

	const addresses = { scanning, console, token: sandbox.tokenUrl };
	const credentialDetails = demoCredentials(addresses);
	let saved: Promise<SavedCredentials> | undefined;
	const credentials = (): Promise<SavedCredentials> =>
		(saved ??= saveCredentials(n8n, credentialDetails));
	return {
		host,
		n8n,
		sandbox,
		polls,
		credentialDetails,
		credentials,
		addWorkflow: async (setup) => {
			const credential = (await credentials()).get(trigger.credentialType)!;
			return await createWorkflow(n8n.session, triggerWorkflow(trigger, { ...setup, credential }));
		},
	};
}
