import { createSandbox, type Sandbox, type SandboxOptions } from '../../sandbox/createSandbox.cts';
import { placeCommunityPackage, recordCommunityPackage } from '../n8n/communityPackage.cts';
import { hostAndPackage } from '../n8n/hostAndPackage.cts';
import type { N8nHost } from '../n8n/host.cts';
import { N8nInstance } from '../n8n/n8nInstance.cts';
import type { SignIn } from '../n8n/session.cts';
import {
	activateWorkflow,
	createWorkflow,
	findWorkflow,
	type SavedWorkflow,
	type WorkflowFile,
} from '../n8n/workflows.cts';
import { withProgress, type Say } from '../progress.cts';
import { demoCredentials, saveCredentials } from './demoCredentials.cts';
import {
	allExampleFiles,
	exampleFiles,
	readExample,
	withCredentials,
} from './exampleWorkflows.cts';
import type { Teardown } from './teardown.cts';

/** For an n8n that only this machine reaches, with nothing in it but the sandbox's own secrets. */
export const demoSignIn: SignIn = { email: 'demo@example.com', password: 'Content-scan-demo-1' };

/** Enough to see each action arrive at every poll. */
export const ENTRIES_PER_MINUTE = 60;
/** One in twenty of them is malicious: an alert at nearly every poll. */
export const SCANS_PER_MINUTE = 40;

/** So that the examples find entries of yesterday and of last week. */
const HISTORY = { historyEntries: 20_000, historyDays: 14 };

export interface DemoOptions {
	userFolder: string;
	/** Free ports when not given. */
	ports?: SandboxOptions['ports'] & { n8n: number };
	say: Say;
	/** Receives how to end each thing, as soon as it runs. */
	teardown: Teardown;
}

/** An n8n with the sandbox beside it. */
interface RunningN8n {
	n8n: N8nInstance;
	sandbox: Sandbox;
}

export interface Demo extends RunningN8n {
	workflows: Record<keyof typeof exampleFiles, SavedWorkflow>;
}

/**
 * The sandbox and a real n8n beside it, with the package installed as a community package, the
 * credentials made and the examples imported. `activateAuditLog` starts the polling.
 */
export async function startDemo(options: DemoOptions): Promise<Demo> {
	const { host, tarball } = await hostAndPackage(options.say, options.teardown);
	await placeCommunityPackage(options.userFolder, tarball);
	const running = await startBesideSandbox(host, options);
	await recordCommunityPackage(host, running.n8n, tarball);
	const imported = await importExamples(running);
	const workflowOf = (file: string): SavedWorkflow => {
		const workflow = imported.get(file);
		if (!workflow) throw new Error(`There is no example ${file}.`);
		return workflow;
	};
	return {
		...running,
		workflows: {
			auditLog: workflowOf(exampleFiles.auditLog),
			scan: workflowOf(exampleFiles.scan),
		},
	};
}

/** Starts the sandbox, and n8n with the user of the demo signed in. */
export async function startBesideSandbox(
	host: N8nHost,
	{ userFolder, ports, say, teardown }: DemoOptions,
	settings?: Record<string, string>,
): Promise<RunningN8n> {
	const { n8n: port, ...sandboxPorts } = ports ?? { n8n: undefined };
	const sandbox = createSandbox({
		ports: sandboxPorts,
		settings: {
			console: { ratePerMinute: ENTRIES_PER_MINUTE, ...HISTORY },
			scanning: { arrivalsPerMinute: SCANS_PER_MINUTE },
		},
	});
	await sandbox.listen();
	teardown.add(() => sandbox.close());
	const n8n = await N8nInstance.create({
		host,
		userFolder,
		port,
		// Where nothing is set, n8n takes New York's, and times typed off a clock are hours off.
		settings: {
			GENERIC_TIMEZONE: Intl.DateTimeFormat().resolvedOptions().timeZone,
			...settings,
		},
	});
	teardown.add(() => n8n.stop());
	await withProgress(say, 'Starting n8n', () => n8n.start());
	await n8n.session.signIn(demoSignIn);
	return { n8n, sandbox };
}

/**
 * Makes the credentials, and imports each example once: what the user made of it on an earlier start is
 * kept. @returns the workflows by the file of the example
 */
export async function importExamples(
	{ n8n, sandbox }: RunningN8n,
	adapted: (workflow: WorkflowFile) => WorkflowFile = (workflow) => workflow,
): Promise<Map<string, SavedWorkflow>> {
	const { us: scanning, console } = sandbox.addresses;
	const addresses = { scanning, console, token: sandbox.tokenUrl };
	const credentials = await saveCredentials(n8n, demoCredentials(addresses));
	const imported = new Map<string, SavedWorkflow>();
	for (const file of await allExampleFiles()) {
		const example = adapted(withCredentials(await readExample(file), credentials));
		const present = await findWorkflow(n8n.session, example.name);
		imported.set(file, present ?? (await createWorkflow(n8n.session, example)));
	}
	return imported;
}

/** Lets the trigger's workflow poll, if it does not already. */
export async function activateAuditLog({ n8n, workflows }: Demo): Promise<void> {
	if (!workflows.auditLog.active) await activateWorkflow(n8n.session, workflows.auditLog);
}
