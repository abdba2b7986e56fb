import { stat } from 'node:fs/promises';
import manifest from '../../package.json';
import type { Bench, Outcome } from '../measurement.cts';
import { valueFinding } from '../results/finding.cts';

const KB = 1024;
const MOST_KB = 90;

/** What is downloaded when the package is installed. */
export async function measurePackedSize({ tarball }: Bench): Promise<Outcome> {
	const { size } = await stat(tarball.file);
	const unpacked = tarball.contents.reduce((sum, file) => sum + file.size, 0);
	const { dependencies = {} } = manifest as { dependencies?: Record<string, string> };
	return {
		findings: [
			valueFinding('packed', size / KB, 'KB', { atMost: MOST_KB }),
			valueFinding(`unpacked, ${tarball.contents.length} files`, unpacked / KB, 'KB'),
			valueFinding('dependencies', Object.keys(dependencies).length, '', {
				atMost: 0,
				stable: true,
			}),
		],
	};
}
