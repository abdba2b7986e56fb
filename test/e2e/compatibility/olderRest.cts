import type { N8nSession } from '../../../scripts/n8n/session.cts';
import { activateWorkflow, type SavedWorkflow } from '../../../scripts/n8n/workflows.cts';
import { runInPresentN8n, type RunWorkflow } from '../inN8n/runNode.cts';

/** How the editor of an n8n calls it. */
export interface EditorCalls {
	activate: typeof activateWorkflow;
	run: RunWorkflow;
}

export function editorCalls(version: string): EditorCalls {
	return version.startsWith('1.')
		? { activate: activateInN8n1, run: runInN8n1 }
		: { activate: activateWorkflow, run: runInPresentN8n };
}

async function activateInN8n1(
	session: N8nSession,
	{ id, versionId }: SavedWorkflow,
): Promise<void> {
	await session.call('PATCH', `/workflows/${id}`, { active: true, versionId });
}

async function runInN8n1(
	session: N8nSession,
	workflow: SavedWorkflow,
	triggerName: string,
): Promise<string> {
	const { executionId } = await session.call<{ executionId: string }>(
		'POST',
		`/workflows/${workflow.id}/run`,
		{ workflowData: workflow, triggerToStartFrom: { name: triggerName } },
	);
	return executionId;
}
