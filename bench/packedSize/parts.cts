import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { markdownTable } from '../../scripts/measurements/markdownTable.cts';
import { unpack, type Tarball } from '../../scripts/package/tarball.cts';

const KB = 1024;

/** What the parts of the package take, each packed alone, without the headers of an archive. */
export async function partsTable(tarball: Tarball, folder: string): Promise<string> {
	const source = join(folder, 'parts');
	await unpack(tarball.file, source);
	const parts = new Map<string, Buffer[]>();
	for (const { path } of tarball.contents) {
		const part = partOf(path);
		const files = parts.get(part) ?? [];
		files.push(await readFile(join(source, path)));
		parts.set(part, files);
	}
	const rows = [...parts]
		.map(([part, files]) => ({ part, files, packed: gzipSync(Buffer.concat(files)).length }))
		.sort((a, b) => b.packed - a.packed)
		.map(({ part, files, packed }) => [part, files.length, Math.round((packed / KB) * 10) / 10]);
	return markdownTable(['Part, packed alone', 'Files', 'KB'], rows);
}

/** `dist/nodes/ContentScan`, `dist/transport`; the files of the top level together. */
function partOf(path: string): string {
	const folders = path.split('/').slice(0, -1);
	const depth = folders[1] === 'nodes' ? 3 : 2;
	return folders.slice(0, depth).join('/') || 'package.json, README.md, …';
}
