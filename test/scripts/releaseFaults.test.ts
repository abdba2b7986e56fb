import type { Release } from '../../scripts/release/releaseFaults.cts';
import { placeholders, releaseFaults } from '../../scripts/release/releaseFaults.cts';

const manifest = {
	version: '1.2.3',
	homepage: 'https://nodes.test/content-scan',
	author: { email: 'somebody@nodes.test' },
	repository: { url: 'git+https://nodes.test/content-scan.git' },
};
const changelog =
	'# Changelog\n\n## 1.2.3 – 2026-11-30\n\n- More.\n\n## 1.2.2 – 2026-11-01\n\n- Some.\n';
const release: Release = { manifest, lockVersion: '1.2.3', changelog, tag: 'v1.2.3' };

describe('the check of a release', () => {
	it('passes when version, lock, changelog and tag agree', () => {
		expect(releaseFaults(release)).toEqual([]);
	});

	it.each<[string, Partial<Release>, string]>([
		['another lock', { lockVersion: '1.2.2' }, 'package-lock.json has 1.2.2'],
		['another tag', { tag: 'v1.2.4' }, 'the tag is v1.2.4, and the version is 1.2.3: tag v1.2.3'],
		['a tag without v', { tag: '1.2.3' }, 'tag v1.2.3'],
		['no entry', { changelog: '## 1.2.30 – 2026-11-30\n\n- x\n' }, 'no heading "## 1.2.3 – date"'],
		[
			'an empty entry',
			{ changelog: '## 1.2.3 – 2026-11-30\n\n## 1.2.2\n' },
			'says nothing about 1.2.3',
		],
		['no date', { changelog: '## 1.2.3 – not released\n\n- x\n' }, 'gives 1.2.3 no date'],
		[
			'a placeholder',
			{ manifest: { ...manifest, homepage: 'https://example.com/x' } },
			'homepage is still a placeholder',
		],
	])('refuses %s', (_, change, fault) => {
		expect(releaseFaults({ ...release, ...change })).toEqual([expect.stringContaining(fault)]);
	});

	it('forgives a rehearsal what only the owner can set', () => {
		const homepage = 'https://example.com/x';
		expect(
			releaseFaults({
				manifest: { ...manifest, homepage },
				lockVersion: '1.2.3',
				changelog: '## 1.2.3 – not released\n\n- x\n',
			}),
		).toEqual([]);
		expect(placeholders({ ...manifest, homepage })).toEqual(['homepage']);
	});
});
