import { randomUUID } from 'node:crypto';
import type { INode } from 'n8n-workflow';
import type { WorkflowFile } from '../../scripts/n8n/workflows.cts';

/** Parameters of a trigger that polls once a year: the poll that counts is the one at activation. */
export const NEVER_AGAIN = pollTimes('0 0 0 1 1 *');

export function pollTimes(cronExpression: string) {
	return { pollTimes: { item: [{ mode: 'custom', cronExpression }] } };
}

/** A node with what a saved workflow has of it. */
export function workflowNode(
	name: string,
	type: string,
	typeVersion: number,
	parameters: object,
	more: Partial<INode> = {},
): INode {
	return {
		id: randomUUID(),
		name,
		type,
		typeVersion,
		position: [0, 0],
		parameters: parameters as INode['parameters'],
		...more,
	};
}

/** A start by a call of the webhook, which is answered at once. */
export function startedBy(webhook: string): INode {
	return workflowNode(
		'Start',
		'n8n-nodes-base.webhook',
		2,
		{ httpMethod: 'POST', path: webhook, responseMode: 'onReceived' },
		{ webhookId: webhook },
	);
}

/**
 * The end of a chain: tells the server that the execution has all items, and which one is the last.
 * @param lastOfAll Where several executions bring the items: the id with which they are all there.
 */
export function allThere(serverUrl: string, idField: string, lastOfAll?: string): INode[] {
	const last = { name: 'last', value: `={{ $json.${idField} }}` };
	const what =
		lastOfAll === undefined
			? 'done'
			: `{{ $json.${idField} === '${lastOfAll}' ? 'done' : 'batch' }}`;
	return [
		workflowNode('Last Item', 'n8n-nodes-base.limit', 1, { maxItems: 1, keep: 'lastItems' }),
		workflowNode('All There', 'n8n-nodes-base.httpRequest', 4.2, {
			url: `=${serverUrl}/bench/${what}`,
			sendQuery: true,
			queryParameters: { parameters: [last] },
			options: {},
		}),
	];
}

/** A workflow of nodes one after the other, of which n8n keeps nothing when it succeeds. */
export function chainOf(name: string, nodes: INode[]): WorkflowFile {
	const connections = nodes.slice(1).map((next, before) => {
		const leadsTo = [[{ node: next.name, type: 'main' as const, index: 0 }]];
		return [nodes[before].name, { main: leadsTo }];
	});
	return {
		name,
		nodes,
		connections: Object.fromEntries(connections),
		settings: { executionOrder: 'v1', saveDataSuccessExecution: 'none' },
	};
}
