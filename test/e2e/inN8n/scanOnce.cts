import {
	exampleFiles,
	exampleNodes,
	readExample,
	withCredentials,
} from '../../../scripts/demo/exampleWorkflows.cts';
import { failureOf, finishedExecution, outputOf } from '../../../scripts/n8n/executions.cts';
import { createWorkflow } from '../../../scripts/n8n/workflows.cts';
import type { PollingN8n } from '../triggerInN8n/pollingN8n.cts';
import { runInPresentN8n, type RunWorkflow } from './runNode.cts';

const WITHIN_MS = 120_000;

/** Runs the example that scans a file and a URL, and says the verdicts. */
export async function scanOnce(
	{ n8n, credentials }: PollingN8n,
	run: RunWorkflow = runInPresentN8n,
): Promise<string> {
	const example = withCredentials(await readExample(exampleFiles.scan), await credentials());
	const workflow = await createWorkflow(n8n.session, example);
	const executionId = await run(n8n.session, workflow, exampleNodes.run);
	const execution = await finishedExecution(n8n.session, executionId, WITHIN_MS);
	const verdicts = [exampleNodes.scanFile, exampleNodes.scanUrl].map((node) => {
		const verdict = outputOf(execution, node).at(0)?.json.verdict;
		if (typeof verdict === 'string' && execution.status === 'success') return verdict;
		throw new Error(`The scan ended as '${execution.status}'. ${failureOf(execution) ?? ''}`);
	});
	return `verdicts ${verdicts.join(' and ')}`;
}
