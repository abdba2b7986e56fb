import type { INode, INodeCredentialsDetails } from 'n8n-workflow';
import manifest from '../../package.json';
import { sandboxTokens } from '../../sandbox/fixtures/accounts.cts';
import type { WorkflowFile } from '../../scripts/n8n/workflows.cts';
import { BARE_UPLOADER } from '../inN8n/bareNode.cts';
import { chainOf, workflowNode } from '../inN8n/workflowNodes.cts';

export const START = 'Start';
export const UPLOAD = 'Scan File';

/** As Scan File reads them. */
const PIECE_BYTES = 256 * 1024;

/** Rest before and after the upload, in seconds, in which n8n collects what garbage it wants to. */
const REST_SECONDS = 5;

/** The upload by this package's node. */
export function scanFileNode(credential: INodeCredentialsDetails): INode {
	const parameters = { resource: 'scan', operation: 'scanFile', waitForVerdict: false };
	const upload = workflowNode(UPLOAD, `${manifest.name}.contentScan`, 1, parameters);
	return { ...upload, credentials: { contentScanApi: credential } };
}

/** The same upload by a node that does the least, with pieces of the same size. */
export function bareUploaderNode(credential: INodeCredentialsDetails): INode {
	const upload = workflowNode(UPLOAD, BARE_UPLOADER.type, 1, { pieceSize: PIECE_BYTES });
	return { ...upload, credentials: { contentScanApi: credential } };
}

/** The same upload by n8n's own node. */
export function httpRequestNode(serviceUrl: string): INode {
	const header = { name: 'Authorization', value: `Token ${sandboxTokens.parent}` };
	const file = { parameterType: 'formBinaryData', name: 'data', inputDataFieldName: 'data' };
	return workflowNode(UPLOAD, 'n8n-nodes-base.httpRequest', 4.2, {
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
		workflowNode(START, 'n8n-nodes-base.manualTrigger', 1, {}),
		workflowNode('Rest First', 'n8n-nodes-base.wait', 1.1, rest),
		workflowNode('Read File', 'n8n-nodes-base.readWriteFile', 1.1, {
			operation: 'read',
			fileSelector: path,
		}),
		workflowNode('Rest Before', 'n8n-nodes-base.wait', 1.1, rest),
		upload,
		workflowNode('Rest After', 'n8n-nodes-base.wait', 1.1, rest),
	];
	return chainOf(`Upload ${path}`, nodes);
}
