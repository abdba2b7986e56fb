import type { INode } from 'n8n-workflow';
import { parameterFaults } from '../../scripts/examples/parameterFaults.cts';
import { exampleFiles, nodeDescription, readExample } from '../support/exampleBench.cts';

const STICKY_NOTE = 'n8n-nodes-base.stickyNote';
const isOurs = ({ type }: INode) => type.startsWith('n8n-nodes-content-scan.');
const isNote = ({ type }: INode) => type === STICKY_NOTE;

describe.each(exampleFiles())('%s', (file) => {
	const { name, nodes, connections } = readExample(file);

	it('has a name, and a note that begins with a heading', () => {
		expect(name).toBeTruthy();
		const notes = nodes.filter(isNote).map(({ parameters }) => String(parameters.content));
		expect(notes).toEqual([expect.stringMatching(/^## .+\n./)]);
	});

	it('has nodes of this package, with parameters and values that exist', async () => {
		const ours = nodes.filter(isOurs);
		expect(ours.length).toBeGreaterThan(0);
		for (const node of ours) {
			expect(parameterFaults(node, await nodeDescription(node))).toEqual([]);
		}
	});

	it('gives every node a name and an ID of its own', () => {
		expect(new Set(nodes.map((node) => node.name)).size).toBe(nodes.length);
		expect(new Set(nodes.map(({ id }) => id)).size).toBe(nodes.length);
	});

	it('connects outputs that exist, and leaves no node aside', async () => {
		const fed = new Set<string>();
		for (const [source, { main }] of Object.entries(connections)) {
			const node = nodes.find((one) => one.name === source)!;
			const { outputs } = await nodeDescription(node);
			const errorOutputs = node.onError === 'continueErrorOutput' ? 1 : 0;
			expect(main.length).toBeLessThanOrEqual(outputs.length + errorOutputs);
			for (const link of main.flatMap((links) => links ?? [])) {
				expect(link).toEqual({ node: link.node, type: 'main', index: 0 });
				fed.add(link.node);
			}
		}
		const unfed: string[] = [];
		for (const node of nodes.filter((one) => !isNote(one))) {
			const { group } = await nodeDescription(node);
			if (!group.includes('trigger') && !fed.has(node.name)) unfed.push(node.name);
		}
		expect(unfed).toEqual([]);
		expect(nodes.map((node) => node.name)).toEqual(expect.arrayContaining([...fed]));
	});

	it('names credentials without their ids, and holds no address of a real owner', () => {
		const credentials = nodes.flatMap((node) => Object.values(node.credentials ?? {}));
		for (const credential of credentials) expect(Object.keys(credential)).toEqual(['name']);
		const hosts = JSON.stringify(nodes).matchAll(/https?:\/\/([^/"\\ ]+)/g);
		for (const [, host] of hosts) expect(host).toMatch(/(^|\.)example(\.com)?$/);
	});
});
