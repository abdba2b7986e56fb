import { randomUUID } from 'node:crypto';
import type { INode, INodeCredentialsDetails } from 'n8n-workflow';
import manifest from '../../package.json';
import type { WorkflowFile } from '../../scripts/n8n/workflows.cts';

export const START = 'Start';
export const READ = 'Read File';
export const UPLOAD = 'Scan File';

/** Rest before and after the upload, in seconds, in which n8n collects what garbage it wants to. */
const REST_SECONDS = 5;

/** A file into n8n's binary storage, a rest, its upload by the node, a rest. */
export function uploadWorkflow(path: string, credential: INodeCredentialsDetails): WorkflowFile {
	const rest = { resume: 'timeInterval', amount: REST_SECONDS, unit: 'seconds' };
	const upload = node(UPLOAD, `${manifest.name}.contentScan`, 1, {
		resource: 'scan',
		operation: 'scanFile',
	});
	upload.credentials = { contentScanApi: credential };
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
