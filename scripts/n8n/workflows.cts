import type { IConnections, INode, IWorkflowSettings } from 'n8n-workflow';
import type { N8nSession } from './session.cts';

/** A workflow as n8n exports it. */
export interface WorkflowFile {
	name: string;
	nodes: INode[];
	connections: IConnections;
	settings?: IWorkflowSettings;
}

export interface SavedWorkflow extends WorkflowFile {
	id: string;
	active: boolean;
	versionId: string;
}

export interface CredentialDetails {
	name: string;
	type: string;
	data: Record<string, unknown>;
}

/** Makes the credential of this name, or brings the one that is there up to date; returns its id. */
export async function saveCredential(
	session: N8nSession,
	credential: CredentialDetails,
): Promise<string> {
	const present = await session.call<Array<{ id: string; name: string }>>('GET', '/credentials');
	const known = present.find(({ name }) => name === credential.name);
	const { id } = known
		? await session.call<{ id: string }>('PATCH', `/credentials/${known.id}`, credential)
		: await session.call<{ id: string }>('POST', '/credentials', credential);
	return id;
}

/** The workflow of this name, if there is one. */
export async function findWorkflow(
	session: N8nSession,
	name: string,
): Promise<SavedWorkflow | undefined> {
	const present = await session.call<Array<{ id: string; name: string }>>('GET', '/workflows');
	const known = present.find((workflow) => workflow.name === name);
	return known && (await session.call<SavedWorkflow>('GET', `/workflows/${known.id}`));
}

export async function createWorkflow(
	session: N8nSession,
	workflow: WorkflowFile,
): Promise<SavedWorkflow> {
	// n8n 1 wants to be told that it is not active; n8n 2 takes that for granted.
	return await session.call<SavedWorkflow>('POST', '/workflows', { ...workflow, active: false });
}

/** Activates the saved version. A trigger that polls does its first poll within this call or soon after. */
export async function activateWorkflow(
	session: N8nSession,
	{ id, versionId }: SavedWorkflow,
): Promise<void> {
	await session.call('POST', `/workflows/${id}/activate`, { versionId });
}

/** Runs a workflow as the button in the editor does; returns the execution's id. */
export async function runWorkflow(
	session: N8nSession,
	workflowId: string,
	triggerName: string,
): Promise<string> {
	const body = { triggerToStartFrom: { name: triggerName } };
	const { executionId } = await session.call<{ executionId: string }>(
		'POST',
		`/workflows/${workflowId}/run`,
		body,
	);
	return executionId;
}
