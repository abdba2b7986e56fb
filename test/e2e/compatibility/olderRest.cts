import type { N8nSession } from '../../../scripts/n8n/session.cts';
import type { SavedWorkflow } from '../../../scripts/n8n/workflows.cts';

/** Where the REST interface of n8n 1 is another than that of n8n 2. */

export async function activateInN8n1(
	session: N8nSession,
	{ id, versionId }: SavedWorkflow,
): Promise<void> {
	await session.call('PATCH', `/workflows/${id}`, { active: true, versionId });
}

/** Returns the execution's id. */
export async function runInN8n1(
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
