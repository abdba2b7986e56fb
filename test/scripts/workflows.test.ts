import { unpinnedActions, workflows } from '../../scripts/release/pinnedActions.cts';

const textOf = (file: string) => workflows().find(({ name }) => name === file)?.text ?? '';

describe.each(workflows())('$name', ({ text }) => {
	it('pins every action by its commit, with the version beside it', () => {
		expect(text).toContain('uses:');
		expect(unpinnedActions(text)).toEqual([]);
	});

	it('grants nothing by default but to read', () => {
		expect(text).toMatch(/^permissions:( \{\}|\n {2}contents: read)$/m);
	});

	it('leaves no credential of GitHub behind', () => {
		const checkouts = text.match(/actions\/checkout@/g)?.length;
		expect(text.match(/persist-credentials: false/g)).toHaveLength(checkouts ?? 0);
	});
});

it.each(['actions/checkout@v7', 'actions/checkout@3d3c42e # v7.0.1', 'x/y@main'])(
	'%s counts as not pinned',
	(used) => {
		expect(unpinnedActions(`- uses: ${used}`)).toEqual([used]);
	},
);

it('a release is published with provenance, and only after all checks', () => {
	const runs = [...textOf('release.yml').matchAll(/run: (.+)/g)].map(([, command]) => command);
	expect(runs).toEqual([
		'npm ci',
		'npm test',
		'npm run release:check -- --tag "$TAG" --out release',
		'npm publish release/*.tgz --provenance --access public',
	]);
	expect(textOf('release.yml')).toContain('id-token: write');
});
