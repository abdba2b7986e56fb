import { copyFile, mkdir, readdir } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';

/** Keeps the logs below `folder` in `artefacts`, under the same names, to be read after the run. */
export async function keepLogs(folder: string, artefacts: string): Promise<void> {
	const entries = await readdir(folder, { recursive: true, withFileTypes: true });
	for (const entry of entries) {
		if (!entry.isFile() || !entry.name.endsWith('.log')) continue;
		const source = join(entry.parentPath, entry.name);
		const target = join(artefacts, relative(folder, source));
		await mkdir(dirname(target), { recursive: true });
		await copyFile(source, target);
	}
}
