import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { N8nInstance } from '../../../scripts/n8n/n8nInstance.cts';
import type { N8nProcess } from '../../../scripts/n8n/n8nProcess.cts';

/**
 * n8n 2.41 ends its own start where a kill hit an execution between its row and its beginning, and
 * gets past it with the next start.
 */
const STARTS = 2;

/**
 * Starts n8n as a service manager does: again when it ends by itself. Without the 10 s by which it
 * slows down after a crash, so that a crash loop hurts less: it does nothing in them, and the file by
 * which it knows of the crash serves nothing else.
 * @param killed Aborted when n8n was killed, after which it is not started again.
 */
export async function startQuickly(n8n: N8nProcess, killed?: AbortSignal): Promise<void> {
	for (let start = 1; ; start += 1) {
		await rm(join(n8n.userFolder, '.n8n', 'crash.journal'), { force: true });
		killed?.throwIfAborted();
		try {
			return await n8n.start();
		} catch (error) {
			if (killed?.aborted || start === STARTS) throw error;
		}
	}
}

/**
 * Starts n8n and kills it once the moment has come, even while it is still starting.
 * @throws what the start or the wait for the moment throws
 */
export async function startAndKill(n8n: N8nInstance, moment: () => Promise<void>): Promise<void> {
	const killed = new AbortController();
	const starting = startQuickly(n8n, killed.signal);
	const startFails = new Promise<never>((_resolve, reject) => starting.catch(reject));
	try {
		await Promise.race([moment(), startFails]);
	} finally {
		killed.abort();
		await n8n.kill();
		// A start that the kill cut short says that n8n ended.
		await starting.catch(() => {});
	}
}
