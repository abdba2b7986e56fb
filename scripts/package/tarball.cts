import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { extract } from 'tar';
import { npm } from '../npm.cts';
import { repositoryRoot } from '../repositoryRoot.cts';

export interface Tarball {
	/** Absolute path of the .tgz. */
	file: string;
	version: string;
	/** In bytes, packed. */
	size: number;
	/** Paths inside the package, with their sizes in bytes. */
	contents: Array<{ path: string; size: number }>;
}

/** Packs the package in `source` into `folder`, exactly as publishing it would. */
export async function packPackage(folder: string, source = repositoryRoot): Promise<Tarball> {
	await mkdir(folder, { recursive: true });
	const output = await npm(['pack', '--json', '--pack-destination', folder], {
		cwd: source,
		what: 'The packed package',
	});
	const [{ filename, version, size, files }] = JSON.parse(output);
	return { file: join(folder, filename), version, size, contents: files };
}

/** Unpacks a package's tarball so that its package.json lies in `folder`. */
export async function unpack(tarball: string, folder: string): Promise<void> {
	await mkdir(folder, { recursive: true });
	await extract({ file: tarball, cwd: folder, strip: 1 });
}
