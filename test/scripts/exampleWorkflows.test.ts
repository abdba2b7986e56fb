import {
	allExampleFiles,
	exampleFiles,
	exampleNodes,
	readExample,
	withCredentials,
} from '../../scripts/demo/exampleWorkflows.cts';

const scanning = { id: 'id-1', name: 'Demo: Content Scan' };
const saved = new Map([
	['contentScanApi', scanning],
	['browserConsoleHeadersApi', { id: 'id-2', name: 'Demo: Browser Console Headers' }],
	['browserConsoleOAuth2Api', { id: 'id-3', name: 'Demo: Browser Console OAuth2' }],
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

	it('get the saved credentials of the types they ask for', async () => {
		const { nodes } = withCredentials(await readExample(exampleFiles.scan), saved);
		const scanFile = nodes.find(({ name }) => name === exampleNodes.scanFile);

		expect(scanFile?.credentials).toEqual({ contentScanApi: scanning });
	});

	it('ask only for credentials that the demo makes', async () => {
		for (const file of await allExampleFiles()) {
			const example = await readExample(file);
			expect(() => withCredentials(example, saved)).not.toThrow();
		}
	});

	it('are refused when a credential is missing', async () => {
		const example = await readExample(exampleFiles.scan);

		expect(() => withCredentials(example, new Map())).toThrow(
			"needs a credential of the type 'contentScanApi'",
		);
	});
});
