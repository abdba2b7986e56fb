import { join } from 'node:path';
import manifest from '../../package.json';
import { runTool } from '../runTool.cts';
import type { Step } from '../steps/runSteps.cts';
import { buildPackage } from './build.cts';
import { packageFaults } from './packageFaults.cts';
import { packPackage, unpack, type Tarball } from './tarball.cts';

/**
 * Builds, packs and checks the package: its files, and what n8n's own scanner says to them.
 * @param folder Takes the tarball, and the same unpacked.
 */
export function packageSteps(folder: string): { steps: Step[]; tarball: () => Tarball } {
	const unpacked = join(folder, 'unpacked');
	let packed: Tarball | undefined;
	const tarball = (): Tarball => {
		if (!packed) throw new Error('The package was not packed.');
		return packed;
	};
	const steps: Step[] = [
		{ name: 'build', run: buildPackage },
		{
			name: 'pack',
			needs: ['build'],
			run: async () => {
				packed = await packPackage(folder);
				await unpack(packed.file, unpacked);
				return '';
			},
		},
		{
			name: 'content of the tarball',
			needs: ['pack'],
			run: async () => passing(packageFaults(tarball(), manifest)),
		},
		{
			name: 'scan of the tarball',
			needs: ['pack'],
			run: async () => await scanFolder(unpacked, 'tarball'),
		},
	];
	return { steps, tarball };
}

/** Runs n8n's package scanner over a working tree, or an unpacked tarball. */
export async function scanFolder(folder: string, kind: 'source' | 'tarball'): Promise<string> {
	return await runTool(process.execPath, [join(__dirname, 'scanPackage.mjs'), folder, kind]);
}

/** @throws Error with the faults, if there are any */
export function passing(faults: readonly string[]): string {
	if (faults.length > 0) throw new Error(faults.join('\n'));
	return '';
}
