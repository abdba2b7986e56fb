import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repositoryRoot } from '../repositoryRoot.cts';
import type { WorkflowFile } from '../n8n/workflows.cts';
import type { SavedCredentials } from './demoCredentials.cts';

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
 * The workflow with the saved credentials of the types it asks for.
 * @throws Error when there is none of a type
 */
export function withCredentials(workflow: WorkflowFile, saved: SavedCredentials): WorkflowFile {
	const nodes = workflow.nodes.map((node) => {
		if (!node.credentials) return node;
		const credentials = Object.keys(node.credentials).map((type) => {
			const credential = saved.get(type);
			if (!credential)
				throw new Error(`'${workflow.name}' needs a credential of the type '${type}'.`);
			return [type, credential];
		});
		return { ...node, credentials: Object.fromEntries(credentials) };
	});
	return { ...workflow, nodes };
}
