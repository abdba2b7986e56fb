import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, transform } from 'esbuild';
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

/** The same package, minified, and with few files: the nodes and credentials, and what they share. */
export async function packBundled(tarball: Tarball, folder: string): Promise<Tarball> {
	const source = join(folder, 'bundled');
	await unpack(tarball.file, source);
	const scripts = tarball.contents.filter(({ path }) => path.endsWith('.js'));
	const isEntry = ({ path }: { path: string }) => /\.(node|credentials)\.js$/.test(path);
	const { outputFiles } = await build({
		entryPoints: scripts.filter(isEntry).map(({ path }) => join(source, path)),
		bundle: true,
		// Only this format shares code between files; n8n loads another.
		format: 'esm',
		splitting: true,
		minify: true,
		packages: 'external',
		platform: 'node',
		outbase: source,
		outdir: source,
		chunkNames: 'dist/[name]-[hash]',
		write: false,
	});
	await Promise.all(scripts.map(async ({ path }) => await rm(join(source, path))));
	await Promise.all(outputFiles.map(async ({ path, contents }) => await writeFile(path, contents)));
	return await packPackage(join(folder, 'packedBundle'), source);
}
