import { randomUUID } from 'node:crypto';
import type { IConnections, IDataObject, INodeCredentialsDetails } from 'n8n-workflow';
import manifest from '../../../package.json';
import type { WorkflowFile } from '../../../scripts/n8n/workflows.cts';
import { auditLogTrigger } from '../triggerInN8n/polledTrigger.cts';
import { triggerWorkflow, END_NAME, workflowNode } from '../triggerInN8n/triggerWorkflow.cts';

/** A poll every ten seconds. */
const POLL_SECONDS = [4, 14, 24, 34, 44, 54];

export const SCAN_NAME = 'Scan URL';
export const MANUAL_START = 'Run';

/** The trigger, some work, and a node that tells the receiver what arrived, once per execution. */
export function deliveringWorkflow(
	credential: INodeCredentialsDetails,
	receiver: string,
	{ errorWorkflow, options }: { errorWorkflow?: string; options?: IDataObject },
): WorkflowFile {
	const workflow = triggerWorkflow(auditLogTrigger, {
		name: 'Entries to the receiver',
		startFrom: 'oldest',
		pollSeconds: POLL_SECONDS,
		credential,
		options,
	});
	const deliver = workflowNode(END_NAME, 'n8n-nodes-base.httpRequest', 4.2, {
		method: 'POST',
		url: receiver,
		sendBody: true,
		specifyBody: 'json',
		jsonBody:
			'={{ { execution: $execution.id, ids: $input.all().map((item) => item.json.auditlogId) } }}',
		options: {},
	});
	const nodes = workflow.nodes.map((node) =>
		node.name === END_NAME ? { ...deliver, executeOnce: true } : node,
	);
	return {
		...workflow,
		nodes,
		settings: { ...workflow.settings, ...(errorWorkflow && { errorWorkflow }) },
	};
}

/** An Error Workflow that tells the receiver which execution failed. */
export function reportingWorkflow(receiver: string): WorkflowFile {
	const failed = workflowNode('Failed', 'n8n-nodes-base.errorTrigger', 1, {});
	const report = workflowNode('Report', 'n8n-nodes-base.httpRequest', 4.2, {
		method: 'POST',
		url: receiver,
		sendBody: true,
		specifyBody: 'json',
		jsonBody: '={{ { execution: $json.execution.id } }}',
		options: {},
	});
	return {
		name: 'Failures to the receiver',
		nodes: [failed, report],
		connections: { [failed.name]: leadsTo(report.name) },
		settings: { executionOrder: 'v1' },
	};
}

/** A webhook, or the button in the editor, starts scans of a list of URLs that nobody else gets. */
export function scanningWorkflow(
	credential: INodeCredentialsDetails,
	receiver: string,
	webhookPath: string,
): WorkflowFile {
	const webhook = workflowNode('Webhook', 'n8n-nodes-base.webhook', 2, {
		httpMethod: 'POST',
		path: webhookPath,
		responseMode: 'onReceived',
		options: {},
	});
	const manual = workflowNode(MANUAL_START, 'n8n-nodes-base.manualTrigger', 1, {});
	const list = workflowNode('List', 'n8n-nodes-base.httpRequest', 4.2, {
		method: 'GET',
		url: receiver,
		options: {},
	});
	const scan = workflowNode(SCAN_NAME, `${manifest.name}.contentScan`, 1, {
		resource: 'scan',
		operation: 'scanUrl',
		url: '={{ $json.url }}',
	});
	scan.credentials = { contentScanApi: credential };
	return {
		name: 'Scans with a shared token',
		nodes: [{ ...webhook, webhookId: randomUUID() }, manual, list, scan],
		connections: {
			[webhook.name]: leadsTo(list.name),
			[manual.name]: leadsTo(list.name),
			[list.name]: leadsTo(scan.name),
		},
		settings: { executionOrder: 'v1' },
	};
}

function leadsTo(name: string): IConnections[string] {
	return { main: [[{ node: name, type: 'main', index: 0 }]] };
}
