import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import type { IDataObject, INode, INodeCredentialsDetails } from 'n8n-workflow';
import { DEFAULT_TEXT_MB } from '../../nodes/ConsoleAuditLog/output/outputFields';
import { repositoryRoot } from '../../scripts/repositoryRoot.cts';
import manifest from '../../package.json';
import { defaultConsoleHeaders } from '../../sandbox/fixtures/accounts.cts';
import type { WorkflowFile } from '../../scripts/n8n/workflows.cts';
import { BARE_READER } from '../inN8n/bareNode.cts';
import {
	allThere,
	chainOf,
	NEVER_AGAIN,
	pollTimes,
	startedBy,
	workflowNode,
} from '../inN8n/workflowNodes.cts';

/** Far more than any log here has. */
const ALL = 10_000_000;

/**
 * The trigger from the oldest entry on, all in one poll unless told.
 * @param last Where it takes several: the id of the last entry.
 */
export function triggerWorkflow(
	serverUrl: string,
	credential: INodeCredentialsDetails,
	options: IDataObject,
	{ pollTime, last }: { pollTime?: string; last?: string } = {},
): WorkflowFile {
	const times = pollTime === undefined ? NEVER_AGAIN : pollTimes(pollTime);
	const trigger = oldestFirst(credential, 'items', options, times);
	return chainOf('Trigger', [trigger, ...allThere(serverUrl, 'auditlogId', last)]);
}

/** The trigger and a bulk sink, with lines from the trigger itself or from a Code node. */
export function triggerToSink(
	serverUrl: string,
	credential: INodeCredentialsDetails,
	output: 'text' | 'items',
	pageSize: number,
): WorkflowFile {
	const trigger = oldestFirst(credential, output, { pageSize });
	const lines = output === 'items' ? [asLines()] : [];
	return chainOf(`Trigger, ${output}, to a sink`, [trigger, ...lines, sink(serverUrl)]);
}

/** Those of BareReader.node.cjs. */
export type Reader = 'bare' | 'careful' | 'free';

/** The same, with a reader to which the trigger is compared. */
export function bareReaderToSink(
	serverUrl: string,
	credential: INodeCredentialsDetails,
	pageSize: number,
	reader: Reader,
): WorkflowFile {
	const parameters = {
		...NEVER_AGAIN,
		pageSize,
		textSize: DEFAULT_TEXT_MB * 1_000_000,
		reader,
		transport: join(repositoryRoot, 'dist', 'transport'),
	};
	const credentials = { browserConsoleHeadersApi: credential };
	const node = workflowNode('Bare Reader', BARE_READER.type, 1, parameters, { credentials });
	return chainOf(`Reader, ${reader}, to a sink`, [node, sink(serverUrl)]);
}

function oldestFirst(
	credential: INodeCredentialsDetails,
	output: 'text' | 'items',
	options: IDataObject,
	times = NEVER_AGAIN,
): INode {
	return workflowNode(
		'Audit Log',
		`${manifest.name}.consoleAuditLogTrigger`,
		1,
		{
			...times,
			authentication: 'headers',
			startFrom: 'oldest',
			output,
			options: { maxEntriesPerPoll: ALL, ...options },
		},
		{ credentials: { browserConsoleHeadersApi: credential } },
	);
}

function asLines(): INode {
	const jsCode =
		"return [{ json: { text: $input.all().map(({ json }) => JSON.stringify(json) + '\\n').join('') } }];";
	return workflowNode('Lines', 'n8n-nodes-base.code', 2, { jsCode });
}

/** With application/json n8n would put the lines into quotes. */
function sink(serverUrl: string): INode {
	return workflowNode('Sink', 'n8n-nodes-base.httpRequest', 4.2, {
		method: 'POST',
		url: `${serverUrl}/bench/bulk`,
		sendBody: true,
		contentType: 'raw',
		rawContentType: 'application/x-ndjson',
		body: '={{ $json.text }}',
		options: {},
	});
}

/** What a user would build of n8n's own nodes, begun by a webhook; to a sink without duplicates. */
export function httpRequestWorkflow(
	serverUrl: string,
	pageSize: number,
	toSink: boolean,
): { workflow: WorkflowFile; webhook: string } {
	const webhook = randomUUID();
	const nodes = [
		startedBy(webhook),
		pages(serverUrl, pageSize),
		workflowNode('Entries', 'n8n-nodes-base.splitOut', 1, { fieldToSplitOut: 'items' }),
	];
	const rest = toSink
		? [notSeenBefore(), asLines(), sink(serverUrl)]
		: allThere(serverUrl, 'auditlogId');
	return { workflow: chainOf('HTTP Request', [...nodes, ...rest]), webhook };
}

function pages(serverUrl: string, pageSize: number): INode {
	const headers = Object.entries(defaultConsoleHeaders).map(([name, value]) => ({ name, value }));
	const token = { type: 'qs', name: 'pageToken', value: '={{ $response.body.nextPageToken }}' };
	return workflowNode('Pages', 'n8n-nodes-base.httpRequest', 4.2, {
		url: `${serverUrl}/api/admin-audit-log-entries`,
		sendHeaders: true,
		headerParameters: { parameters: headers },
		sendQuery: true,
		queryParameters: { parameters: [{ name: 'limit', value: String(pageSize) }] },
		options: {
			pagination: {
				pagination: {
					paginationMode: 'updateAParameterInEachRequest',
					parameters: { parameters: [token] },
					paginationCompleteWhen: 'other',
					completeExpression: '={{ !$response.body.nextPageToken }}',
				},
			},
		},
	});
}

function notSeenBefore(): INode {
	return workflowNode('New Entries', 'n8n-nodes-base.removeDuplicates', 2, {
		operation: 'removeItemsSeenInPreviousExecutions',
		logic: 'removeItemsWithAlreadySeenKeyValues',
		dedupeValue: '={{ $json.auditlogId }}',
		options: { historySize: ALL },
	});
}
