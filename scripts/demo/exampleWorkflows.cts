import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repositoryRoot } from '../repositoryRoot.cts';
import type { WorkflowFile } from '../n8n/workflows.cts';

/** The examples that the demo runs, by the name of their file in `examples/`. */
export const exampleFiles = {
	auditLog: 'console-audit-log-to-workflow.json',
	scan: 'scan-file-and-url.json',
} as const;

const FOLDER = join(repositoryRoot, 'examples');

/** The files of all examples, in the order of their names. */
export async function allExampleFiles(): Promise<string[]> {
	return (await readdir(FOLDER)).sort();
}

/** Names of the nodes whose output the demo reads back. */
export const exampleNodes = {
	trigger: 'Console Audit Log Trigger',
	run: 'Run',
	scanFile: 'Scan File',
	scanUrl: 'Scan URL',
} as const;

/** Reads an example as it is published: credentials by name, without ids. */
export async function readExample(file: string): Promise<WorkflowFile> {
	return JSON.parse(await readFile(join(FOLDER, file), 'utf8'));
}

/**
 * The workflow with the ids of the credentials it names.
 * @throws Error when it names a credential that is not there
 */
export function withCredentialIds(
	workflow: WorkflowFile,
	ids: ReadonlyMap<string, string>,
): WorkflowFile {
	const nodes = workflow.nodes.map((node) => {
		if (!node.credentials) return node;
		const credentials = Object.entries(node.credentials).map(([type, { name }]) => {
			const id = ids.get(name);
			if (!id)
				throw new Error(`'${workflow.name}' names the credential '${name}', which is unknown.`);
			return [type, { id, name }];
		});
		return { ...node, credentials: Object.fromEntries(credentials) };
	});
	return { ...workflow, nodes };
}
