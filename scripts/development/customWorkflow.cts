import manifest from '../../package.json';
import type { WorkflowFile } from '../n8n/workflows.cts';
import { CUSTOM_PREFIX } from './extensionFolder.cts';

/** The workflow with the nodes of the package as n8n names them when they come from a folder. */
export function customWorkflow(workflow: WorkflowFile): WorkflowFile {
	const nodes = workflow.nodes.map((node) => {
		const [prefix, type] = node.type.split('.');
		return prefix === manifest.name ? { ...node, type: `${CUSTOM_PREFIX}.${type}` } : node;
	});
	return { ...workflow, nodes };
}
