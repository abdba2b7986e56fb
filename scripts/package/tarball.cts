import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { extract } from 'tar';
import { npm } from '../npm.cts';
import { repositoryRoot } from '../repositoryRoot.cts';

export interface Tarball {
	/** Absolute path of the .tgz. */
	file: string;
	version: string;
	/** Paths inside the package, with their sizes in bytes. */
	contents: Array<{ path: string; size: number }>;
}

/** Packs the built package into `folder`, exactly as publishing it would. */
export async function packPackage(folder: string): Promise<Tarball> {
	await mkdir(folder, { recursive: true });
	const output = await npm(['pack', '--json', '--pack-destination', folder], {
		cwd: repositoryRoot,
		what: 'The packed package',
	});
	const [{ filename, version, files }] = JSON.parse(output);
	return { file: join(folder, filename), version, contents: files };
}

/** Unpacks a package's tarball so that its package.json lies in `folder`. */
export async function unpack(tarball: string, folder: string): Promise<void> {
	await mkdir(folder, { recursive: true });
	await extract({ file: tarball, cwd: folder, strip: 1 });
}
