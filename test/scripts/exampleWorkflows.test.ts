import {
	allExampleFiles,
	exampleFiles,
	exampleNodes,
	readExample,
	withCredentialIds,
} from '../../scripts/demo/exampleWorkflows.cts';

const ids = new Map([
	['Content Scan account', 'id-1'],
	['Browser Console Headers account', 'id-2'],
]);

describe('the example workflows', () => {
	it.each(Object.values(exampleFiles))('%s names its credentials without ids', async (file) => {
		const { nodes } = await readExample(file);
		const credentials = nodes.flatMap((node) => Object.values(node.credentials ?? {}));

		expect(credentials.length).toBeGreaterThan(0);
		for (const credential of credentials) expect(Object.keys(credential)).toEqual(['name']);
	});

	it.each(Object.values(exampleFiles))('%s connects nodes that it has', async (file) => {
		const { nodes, connections } = await readExample(file);
		const names = nodes.map(({ name }) => name);
		const targets = Object.values(connections)
			.flatMap(({ main }) => main.flat())
			.map((target) => target?.node);

		expect(names).toEqual(expect.arrayContaining([...Object.keys(connections), ...targets]));
	});

	it('have the nodes whose output is read back', async () => {
		const examples = await Promise.all(Object.values(exampleFiles).map(readExample));
		const names = examples.flatMap(({ nodes }) => nodes.map(({ name }) => name));

		expect(names).toEqual(expect.arrayContaining(Object.values(exampleNodes)));
	});

	it('get the ids of the credentials they name', async () => {
		const { nodes } = withCredentialIds(await readExample(exampleFiles.scan), ids);
		const scanFile = nodes.find(({ name }) => name === exampleNodes.scanFile);

		expect(scanFile?.credentials).toEqual({
			contentScanApi: { id: 'id-1', name: 'Content Scan account' },
		});
	});

	it('name only credentials that the demo makes', async () => {
		const made = new Map(ids).set('Browser Console OAuth2 account', 'id-3');
		for (const file of await allExampleFiles()) {
			const example = await readExample(file);
			expect(() => withCredentialIds(example, made)).not.toThrow();
		}
	});

	it('are refused when a credential is unknown', async () => {
		const example = await readExample(exampleFiles.scan);

		expect(() => withCredentialIds(example, new Map())).toThrow(
			"names the credential 'Content Scan account', which is unknown",
		);
	});
});
