import type { INode, INodeTypeDescription } from 'n8n-workflow';
import { parameterFaults } from '../examples/parameterFaults.cts';
import type { N8nSession } from '../n8n/session.cts';
import { allExampleFiles, readExample } from './exampleWorkflows.cts';

/**
 * Compares the nodes of all examples with what the running n8n says of their types.
 * @throws Error that names every type, parameter and value that it does not know
 */
export async function checkExampleNodes(session: N8nSession): Promise<string> {
	const types = await session.readAsset<INodeTypeDescription[]>('/types/nodes.json');
	const files = await allExampleFiles();
	const faults: string[] = [];
	let count = 0;
	for (const file of files) {
		for (const node of (await readExample(file)).nodes) {
			count += 1;
			const found = nodeFaults(node, types).map((fault) => `${file}: ${fault}`);
			faults.push(...found);
		}
	}
	if (faults.length > 0) throw new Error(faults.join('\n'));
	return `${count} nodes in ${files.length} files`;
}

function nodeFaults(node: INode, types: INodeTypeDescription[]): string[] {
	const description = types.find(
		({ name, version }) => name === node.type && [version].flat().includes(node.typeVersion),
	);
	if (!description) return [`${node.name}: there is no ${node.type} ${node.typeVersion}`];
	return parameterFaults(node, description);
}
