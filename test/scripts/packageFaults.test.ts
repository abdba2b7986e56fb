import { LARGEST, packageFaults } from '../../scripts/package/packageFaults.cts';

const manifest = {
	n8n: {
		nodes: ['dist/nodes/Foo/Foo.node.js'],
		credentials: ['dist/credentials/FooApi.credentials.js'],
	},
};
const complete = [
	'package.json',
	'README.md',
	'LICENSE',
	'dist/nodes/Foo/Foo.node.js',
	'dist/nodes/Foo/Foo.node.json',
	'dist/nodes/Foo/__schema__/v1.0.0/scan/get.json',
	'dist/transport/call.js',
	'dist/credentials/FooApi.credentials.js',
	'dist/icons/foo.svg',
];

const faults = (paths: string[], size = 70_000) =>
	packageFaults({ contents: paths.map((path) => ({ path, size: 1 })), size }, manifest);

describe('the check of what is packed', () => {
	it('accepts the built nodes, their assets and the documentation', () => {
		expect(faults(complete)).toEqual([]);
	});

	it.each(['README.md', 'LICENSE', 'dist/nodes/Foo/Foo.node.js', 'dist/nodes/Foo/Foo.node.json'])(
		'misses %s',
		(path) => {
			const without = complete.filter((present) => present !== path);

			expect(faults(without)).toEqual([`${path} is missing`]);
		},
	);

	it.each([
		'nodes/Foo/Foo.node.ts',
		'dist/tsconfig.tsbuildinfo',
		'dist/test/foo.test.js',
		'dist/nodes/Foo/Foo.node.js.map',
		'dist/docs/picture.svg',
		'sandbox/settings.cts',
		'.npmrc',
	])('refuses %s', (path) => {
		expect(faults([...complete, path])).toEqual([`${path} does not belong into the package`]);
	});

	it('refuses a package that has grown out of bounds', () => {
		expect(faults(complete, LARGEST + 1)).toEqual([
			expect.stringContaining(`${LARGEST + 1} bytes`),
		]);
	});
});
