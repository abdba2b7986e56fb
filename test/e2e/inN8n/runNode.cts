import type { IDataObject, INode } from 'n8n-workflow';
import manifest from '../../../package.json';
import { failureOf, finishedExecution, outputOf } from '../../../scripts/n8n/executions.cts';
import type { N8nSession } from '../../../scripts/n8n/session.cts';
import {
	createWorkflow,
	runWorkflow,
	type SavedWorkflow,
} from '../../../scripts/n8n/workflows.cts';
import { workflowNode } from '../triggerInN8n/triggerWorkflow.cts';

const WITHIN_MS = 60_000;
const START = 'Run';

/** Runs a saved workflow as the button in the editor does. Returns the execution's id. */
export type RunWorkflow = (
	session: N8nSession,
	workflow: SavedWorkflow,
	triggerName: string,
) => Promise<string>;

export const runInPresentN8n: RunWorkflow = async (session, { id }, triggerName) =>
	await runWorkflow(session, id, triggerName);

/** A node of the package with its credential, as a user sets it up. */
export interface NodeSetup {
	/** Also the workflow's name. */
	name: string;
	/** Name of the node's type, without the package. */
	type: string;
	parameters: INode['parameters'];
	credential: { type: string; id: string; name: string };
	/** What becomes of a failing item: by default it ends the execution. */
	onError?: INode['onError'];
}

/** What became of it: what it put out, or why it failed, in the words n8n shows. */
export interface NodeOutcome {
	output: IDataObject[];
	/** What left by its error output. */
	failed: IDataObject[];
	failure?: string;
}

/** Runs a workflow of that node alone. */
export async function runNode(
	session: N8nSession,
	setup: NodeSetup,
	run: RunWorkflow = runInPresentN8n,
): Promise<NodeOutcome> {
	const { type, id, name } = setup.credential;
	const start = workflowNode(START, 'n8n-nodes-base.manualTrigger', 1, {});
	const node: INode = {
		...workflowNode(setup.name, `${manifest.name}.${setup.type}`, 1, setup.parameters),
		credentials: { [type]: { id, name } },
		onError: setup.onError,
	};
	const workflow = await createWorkflow(session, {
		name: setup.name,
		nodes: [start, node],
		connections: { [START]: { main: [[{ node: setup.name, type: 'main', index: 0 }]] } },
		settings: { executionOrder: 'v1' },
	});
	const executionId = await run(session, workflow, START);
	const execution = await finishedExecution(session, executionId, WITHIN_MS);
	const [output, failed] = [0, 1].map((index) =>
		outputOf(execution, setup.name, index).map(({ json }) => json),
	);
	return { output, failed, failure: failureOf(execution) };
}
