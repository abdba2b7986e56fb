import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INode, INodeTypeDescription } from 'n8n-workflow';
import type { Sandbox } from '../../sandbox/createSandbox.cts';
import { createSandbox } from '../../sandbox/createSandbox.cts';
import { defaultConsoleHeaders, sandboxTokens } from '../../sandbox/fixtures/accounts.cts';
import { sandboxOperationPaths } from '../../sandbox/fixtures/operationPaths.cts';
import type { JsonObject } from '../../sandbox/jsonValue.cts';
import type { ArrivingScan } from '../../sandbox/scanning/arrivals.cts';
import type { Receiver } from '../sandbox/receiver.cts';
import { openReceiver } from '../sandbox/receiver.cts';
import type { CredentialData } from './engine/credentialVault.cts';
import { loadPackage, REPOSITORY } from './engine/loadedPackage.cts';
import { createPollHarness } from './engine/pollHarness.cts';
import type {
	NodeRun,
	OutputItem,
	RunWorkflowOptions,
	WorkflowJson,
	WorkflowRun,
} from './engine/runWorkflow.cts';
import { runWorkflow } from './engine/runWorkflow.cts';

const FOLDER = join(REPOSITORY, 'examples');

/** Files in examples/, in the order of their names. */
export function exampleFiles(): string[] {
	return readdirSync(FOLDER).sort();
}

function text(file: string): string {
	return readFileSync(join(FOLDER, file), 'utf8');
}

/** An example as it is published. */
export function readExample(file: string): WorkflowJson {
	return JSON.parse(text(file)) as WorkflowJson;
}

/** The first node that nothing leads to. */
function start({ nodes, connections }: WorkflowJson): string | undefined {
	const links = Object.values(connections).flatMap(({ main }) => main.flat());
	const fed = new Set(links.map((link) => link?.node));
	return nodes.find(({ name, type }) => !type.endsWith('.stickyNote') && !fed.has(name))?.name;
}

/** A file has no credential for what it sends to: a user chooses one. */
function chooseHeaderAuth(node: INode): void {
	if (node.parameters.genericAuthType !== 'httpHeaderAuth') return;
	node.credentials = { httpHeaderAuth: { id: null, name: 'of the test' } };
}

interface ExampleRunOptions extends RunWorkflowOptions {
	/** What a user would fill in, as a change of the file's text. */
	change?: (json: string) => string;
	/** The value of the header Authorization that a user enters for what an example sends to. */
	authorization?: string;
}

/** What the type of a node says about it, stand-ins included. */
export async function nodeDescription(node: INode): Promise<INodeTypeDescription> {
	const { nodeTypes } = await loadPackage();
	return nodeTypes.getByNameAndVersion(node.type, node.typeVersion).description;
}

/** The items of the first output of a node's only run. */
export function itemsOf(run: WorkflowRun, node: string): OutputItem[] {
	return runOf(run, node)?.outputs[0] ?? [];
}

/** The only run of a node; `undefined` when it was not reached. */
export function runOf({ nodes }: WorkflowRun, node: string): NodeRun | undefined {
	return nodes[node]?.[0];
}

/**
 * The examples in n8n's engine, with the sandbox in the place of the services and a receiver in the
 * place of the addresses under example.com that an example sends to.
 */
export class ExampleBench {
	private constructor(
		readonly sandbox: Sandbox,
		readonly receiver: Receiver,
	) {}

	static async open(): Promise<ExampleBench> {
		const settings = {
			scanning: { scanDurationMs: 0, callsPerMinute: 100_000 },
			console: { historyEntries: 0 },
		};
		const sandbox = createSandbox({ settings });
		await sandbox.listen();
		return new ExampleBench(sandbox, await openReceiver());
	}

	get credentials(): CredentialData {
		const { us, console } = this.sandbox.addresses;
		const headers = Object.entries(defaultConsoleHeaders).map(([name, value]) => ({ name, value }));
		return {
			contentScanApi: {
				environment: 'custom',
				baseUrl: us,
				apiToken: sandboxTokens.parent,
				callsPerMinute: 100_000,
				operationPaths: { values: { ...sandboxOperationPaths } },
			},
			browserConsoleHeadersApi: { consoleUrl: console, headers: { values: headers } },
		};
	}

	/** Runs an example, addresses of other services pointing at the receiver. */
	async run(
		file: string,
		{ change = (json) => json, authorization, ...options }: ExampleRunOptions = {},
	) {
		const addresses = /https:\/\/(siem|chat|n8n)\.example\.com/g;
		const json = change(text(file).replace(addresses, this.receiver.origin));
		const workflow = JSON.parse(json) as WorkflowJson;
		const headerAuth = { name: 'Authorization', value: authorization };
		const credentials: CredentialData = {
			...this.credentials,
			...(authorization === undefined ? {} : { httpHeaderAuth: headerAuth }),
		};
		for (const node of workflow.nodes) chooseHeaderAuth(node);
		return await runWorkflow(workflow, { credentials, startNode: start(workflow), ...options });
	}

	/** What the trigger of an example puts out for these entries, by its own parameters. */
	async polled(file: string, entries: JsonObject[]) {
		return await this.afterPoll(file, () => {
			this.sandbox.append(entries.map((entry) => ({ entry })));
		});
	}

	/** The same for scans that come in by themselves. */
	async polledScans(file: string, scans: ArrivingScan[]) {
		return await this.afterPoll(file, () => void this.sandbox.arrive('us', scans));
	}

	private async afterPoll(file: string, happen: () => void) {
		const trigger = readExample(file).nodes.find(({ type }) =>
			/^n8n-nodes-content-scan\..*Trigger$/.test(type),
		)!;
		const [type] = Object.keys(trigger.credentials!);
		const harness = await createPollHarness({
			node: { type: trigger.type, parameters: trigger.parameters },
			credentials: { [type]: this.credentials[type] },
			mode: 'default',
		});
		try {
			await harness.activate();
			happen();
			await harness.tick();
			return harness.emittedItems();
		} finally {
			await harness.close();
		}
	}

	/** Resolves with the first call that the receiver got. */
	async firstReceived(): Promise<Receiver['received'][number]> {
		while (this.receiver.received.length === 0) {
			await new Promise<void>((turn) => setImmediate(turn));
		}
		return this.receiver.received[0];
	}

	/** What the receiver got, in order. */
	bodies(): object[] {
		return this.receiver.received.map(({ body }) => JSON.parse(body) as object);
	}

	async close(): Promise<void> {
		this.receiver.close();
		await this.sandbox.close();
	}
}
