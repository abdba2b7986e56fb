import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The files of the package as they were last accepted. */
const PINNED = join(__dirname, 'packedFiles.json');

/** How the packed files differ from the pinned list. */
export function pinFaults(paths: readonly string[], pinned: readonly string[]): string[] {
	return [
		...paths.filter((path) => !pinned.includes(path)).map((path) => `${path} is new`),
		...pinned.filter((path) => !paths.includes(path)).map((path) => `${path} is gone`),
	];
}

export async function pinnedFiles(): Promise<string[]> {
	return JSON.parse(await readFile(PINNED, 'utf8'));
}

export async function pinFiles(paths: readonly string[]): Promise<void> {
	await writeFile(PINNED, `${JSON.stringify([...paths].sort(), null, '\t')}\n`);
}
