import { randomUUID } from 'node:crypto';
import type { INode, INodeCredentialsDetails } from 'n8n-workflow';
import manifest from '../../package.json';
import { sandboxTokens } from '../../sandbox/fixtures/accounts.cts';
import type { WorkflowFile } from '../../scripts/n8n/workflows.cts';

export const START = 'Start';
export const READ = 'Read File';
export const UPLOAD = 'Scan File';

/** Rest before and after the upload, in seconds, in which n8n collects what garbage it wants to. */
const REST_SECONDS = 5;

/** The upload by this package's node. */
export function scanFileNode(credential: INodeCredentialsDetails): INode {
	const parameters = { resource: 'scan', operation: 'scanFile', waitForVerdict: false };
	const upload = node(UPLOAD, `${manifest.name}.contentScan`, 1, parameters);
	return { ...upload, credentials: { contentScanApi: credential } };
}

/** The same upload by n8n's own node. */
export function httpRequestNode(serviceUrl: string): INode {
	const header = { name: 'Authorization', value: `Token ${sandboxTokens.parent}` };
	const file = { parameterType: 'formBinaryData', name: 'data', inputDataFieldName: 'data' };
	return node(UPLOAD, 'n8n-nodes-base.httpRequest', 4.2, {
		method: 'POST',
		url: `${serviceUrl}/api/v1/files/`,
		sendHeaders: true,
		headerParameters: { parameters: [header] },
		sendBody: true,
		contentType: 'multipart-form-data',
		bodyParameters: { parameters: [{ name: 'name', value: 'file' }, file] },
		options: {},
	});
}

/** A file into n8n's binary storage, a rest, its upload, a rest. */
export function uploadWorkflow(path: string, upload: INode): WorkflowFile {
	const rest = { resume: 'timeInterval', amount: REST_SECONDS, unit: 'seconds' };
	const nodes = [
		node(START, 'n8n-nodes-base.manualTrigger', 1, {}),
		node('Rest First', 'n8n-nodes-base.wait', 1.1, rest),
		node(READ, 'n8n-nodes-base.readWriteFile', 1.1, { operation: 'read', fileSelector: path }),
		node('Rest Before', 'n8n-nodes-base.wait', 1.1, rest),
		upload,
		node('Rest After', 'n8n-nodes-base.wait', 1.1, rest),
	];
	const connections = nodes.slice(1).map(({ name }, before) => {
		const leadsTo = [[{ node: name, type: 'main' as const, index: 0 }]];
		return [nodes[before].name, { main: leadsTo }];
	});
	return {
		name: `Upload ${path}`,
		nodes,
		connections: Object.fromEntries(connections),
		settings: { executionOrder: 'v1' },
	};
}

function node(
	name: string,
	type: string,
	typeVersion: number,
	parameters: INode['parameters'],
): INode {
	return { id: randomUUID(), name, type, typeVersion, position: [0, 0], parameters };
}
