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
			valueFinding('packed', tarball.size / KB, 'KB', { atMost: MOST_KB }),
			valueFinding(`unpacked, ${tarball.contents.length} files`, unpacked / KB, 'KB'),
			valueFinding('packed, if it were minified', minified.size / KB, 'KB'),
			valueFinding('packed, if it were minified and bundled', bundled.size / KB, 'KB'),
			valueFinding('dependencies', Object.keys(dependencies).length, '', {
				atMost: 0,
				stable: true,
			}),
		],
		details: `${explained(bundled.size / KB)}\n\n${await partsTable(tarball, await folder())}`,
	};
}

function explained(leastKb: number): string {
	const outcome = leastKb > MOST_KB ? 'would miss the goal too' : 'would meet the goal';
	return `A minifier, which takes the spaces and shortens every name, with a bundler, which makes a few files of all,
${outcome}. That is the least: n8n would not load the format in which the bundler shares code. The published code stays readable, so that whoever checks a security package can read what runs. To reach
the goal, the package would have to do less.`;
}
