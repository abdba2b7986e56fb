import type { INodeTypeDescription } from 'n8n-workflow';
import manifest from '../../../package.json';
import type { Teardown } from '../../../scripts/demo/teardown.cts';
import { failureOf, finishedExecution } from '../../../scripts/n8n/executions.cts';
import { createWorkflow, saveCredential } from '../../../scripts/n8n/workflows.cts';
import type { PollingN8n } from '../triggerInN8n/pollingN8n.cts';
import { workflowNode } from '../triggerInN8n/triggerWorkflow.cts';
import { startChatModel } from './chatModel.cts';
import { runInPresentN8n, type RunWorkflow } from './runNode.cts';

/** Without it, n8n offers no node of a community package to an agent. */
export const TOOLS_ALLOWED = { N8N_COMMUNITY_PACKAGES_ALLOW_TOOL_USAGE: 'true' };

const WITHIN_MS = 60_000;
const START = 'Run';
const AGENT = 'Agent';
const AGENT_TYPE = '@n8n/n8n-nodes-langchain.agent';
const SUBMITTED = 'https://www.example.com/from-an-agent';

/**
 * Lets an AI agent submit a URL with Content Scan as its tool.
 * @throws Error when the agent is not told the scan ID, so that it may submit it again
 */
export async function submitAsTool(
	{ n8n, sandbox, credentials }: PollingN8n,
	teardown: Teardown,
	run: RunWorkflow = runInPresentN8n,
): Promise<string> {
	const { session } = n8n;
	const model = await startChatModel({ url: SUBMITTED }, teardown);
	const openAi = {
		name: 'Chat model',
		type: 'openAiApi',
		data: { apiKey: 'none', url: model.url },
	};
	const types = await session.readAsset<INodeTypeDescription[]>('/types/nodes.json');
	const agentVersion = types.find(({ name }) => name === AGENT_TYPE)?.defaultVersion ?? 1;
	const scanning = (await credentials()).get('contentScanApi')!;
	const nodes = [
		workflowNode(START, 'n8n-nodes-base.manualTrigger', 1, {}),
		workflowNode(AGENT, AGENT_TYPE, agentVersion, { promptType: 'define', text: 'Scan it.' }),
		{
			...workflowNode('Model', '@n8n/n8n-nodes-langchain.lmChatOpenAi', 1.2, {
				model: { __rl: true, mode: 'id', value: 'test' },
			}),
			credentials: { openAiApi: { id: await saveCredential(session, openAi), name: openAi.name } },
		},
		{
			...workflowNode('Submit a URL', `${manifest.name}.contentScanTool`, 1, {
				resource: 'scan',
				operation: 'scanUrl',
				url: "={{ $fromAI('url') }}",
				waitForVerdict: false,
			}),
			credentials: { contentScanApi: scanning },
		},
	];
	const workflow = await createWorkflow(session, {
		name: 'An AI agent with the node as its tool',
		nodes,
		connections: {
			[START]: { main: [[{ node: AGENT, type: 'main', index: 0 }]] },
			Model: { ai_languageModel: [[{ node: AGENT, type: 'ai_languageModel', index: 0 }]] },
			'Submit a URL': { ai_tool: [[{ node: AGENT, type: 'ai_tool', index: 0 }]] },
		},
		settings: { executionOrder: 'v1' },
	});
	const before = sandbox.journal.entries().at(-1)?.sequence;
	const execution = await finishedExecution(
		session,
		await run(session, workflow, START),
		WITHIN_MS,
	);
	const submissions = sandbox.journal.entries(before).filter(({ method }) => method === 'POST');
	const answer = model.answers.join(' ');
	if (submissions.length === 1 && /"scanId":"?\d+/.test(answer)) return `it is told ${answer}`;
	throw new Error(
		`${submissions.length} submissions; the agent is told '${answer}'. ${failureOf(execution) ?? ''}`,
	);
}
