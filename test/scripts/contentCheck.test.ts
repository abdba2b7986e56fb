import { contentFaults } from '../../scripts/package/contentCheck.cts';

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
	'dist/nodes/transport/call.js',
	'dist/credentials/FooApi.credentials.js',
	'dist/icons/foo.svg',
];

describe('the check of what is packed', () => {
	it('accepts the built nodes, their assets and the documentation', () => {
		expect(contentFaults(complete, manifest)).toEqual([]);
	});

	it.each(['README.md', 'dist/nodes/Foo/Foo.node.js', 'dist/nodes/Foo/Foo.node.json'])(
		'misses %s',
		(path) => {
			const without = complete.filter((present) => present !== path);

			expect(contentFaults(without, manifest)).toEqual([`${path} is missing`]);
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
		expect(contentFaults([...complete, path], manifest)).toEqual([
			`${path} does not belong into the package`,
		]);
	});
});
