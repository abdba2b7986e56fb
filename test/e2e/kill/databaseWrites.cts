import { watch } from 'node:fs/promises';
import { join } from 'node:path';

/** SQLite writes every transaction here first. */
const WRITE_AHEAD_LOG = 'database.sqlite-wal';

/** Resolves at n8n's next write to its database, or when `signal` ends the wait. */
export async function nextDatabaseWrite(userFolder: string, signal: AbortSignal): Promise<void> {
	try {
		for await (const { filename } of watch(join(userFolder, '.n8n'), { signal })) {
			if (filename === WRITE_AHEAD_LOG) return;
		}
	} catch (error) {
		if (!signal.aborted) throw error;
	}
}
