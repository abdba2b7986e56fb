import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import execa from 'execa';
import type { N8nHost } from '../../../scripts/n8n/host.cts';

/**
 * Writes each SQLite database below `folder` as text beside it: in its own file, a long text is cut
 * into pages, and a secret that lies across two of them would not be found.
 * @returns how many there were
 */
export async function dumpDatabases(folder: string, { node }: N8nHost): Promise<number> {
	const entries = await readdir(folder, { recursive: true, withFileTypes: true });
	const databases = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.sqlite'));
	const script = join(__dirname, 'dumpDatabase.mjs');
	for (const { parentPath, name } of databases) {
		const file = join(parentPath, name);
		await execa(node.binary, [script, file, `${file}.txt`]);
	}
	return databases.length;
}
