import { randomUUID } from 'node:crypto';
import type { IDataObject, INodeCredentialsDetails } from 'n8n-workflow';
import manifest from '../../package.json';
import { sandboxTokens } from '../../sandbox/fixtures/accounts.cts';
import type { WorkflowFile } from '../../scripts/n8n/workflows.cts';
import { allThere, chainOf, startedBy, workflowNode } from '../inN8n/workflowNodes.cts';

/** A workflow, and the webhook that starts it. */
export interface Started {
	workflow: WorkflowFile;
	webhook: string;
}

/** One item for each URL in the body of the call that starts it. */
function urls(webhook: string) {
	const split = { fieldToSplitOut: 'body.urls', options: { destinationFieldName: 'url' } };
	return [startedBy(webhook), workflowNode('URLs', 'n8n-nodes-base.splitOut', 1, split)];
}

export function contentScanWorkflow(
	serverUrl: string,
	credential: INodeCredentialsDetails,
	options: IDataObject,
): Started {
	const webhook = randomUUID();
	const scan = workflowNode(
		'Scan URL',
		`${manifest.name}.contentScan`,
		1,
		{
			resource: 'scan',
			operation: 'scanUrl',
			url: '={{ $json.url }}',
			waitForVerdict: false,
			options,
		},
		{ credentials: { contentScanApi: credential } },
	);
	const nodes = [...urls(webhook), scan, ...allThere(serverUrl, 'submittedId')];
	return { workflow: chainOf('Content Scan', nodes), webhook };
}

/** @param credential Without one, the token stands in the workflow, where all who may see it can read it. */
export function httpRequestWorkflow(
	serverUrl: string,
	credential?: INodeCredentialsDetails,
): Started {
	const webhook = randomUUID();
	const header = { name: 'Authorization', value: `Token ${sandboxTokens.parent}` };
	const token = credential
		? { authentication: 'genericCredentialType', genericAuthType: 'httpHeaderAuth' }
		: { sendHeaders: true, headerParameters: { parameters: [header] } };
	const request = workflowNode(
		'Scan URL',
		'n8n-nodes-base.httpRequest',
		4.2,
		{
			method: 'POST',
			url: `${serverUrl}/api/v1/urls/`,
			...token,
			sendBody: true,
			contentType: 'form-urlencoded',
			bodyParameters: { parameters: [{ name: 'path', value: '={{ $json.url }}' }] },
			options: {},
		},
		credential && { credentials: { httpHeaderAuth: credential } },
	);
	const nodes = [...urls(webhook), request, ...allThere(serverUrl, 'scan_id')];
	return { workflow: chainOf('HTTP Request', nodes), webhook };
}
