import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { transform } from 'esbuild';
import { packPackage, unpack, type Tarball } from '../../scripts/package/tarball.cts';

/** The same package with the code as a minifier leaves it: no spaces, and names of a letter or two. */
export async function packMinified(tarball: Tarball, folder: string): Promise<Tarball> {
	const source = join(folder, 'minified');
	await unpack(tarball.file, source);
	const scripts = tarball.contents.filter(({ path }) => path.endsWith('.js'));
	for (const { path } of scripts) {
		const file = join(source, path);
		const { code } = await transform(await readFile(file, 'utf8'), { minify: true });
		await writeFile(file, code);
	}
	return await packPackage(join(folder, 'packed'), source);
}
