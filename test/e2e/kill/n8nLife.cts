import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { N8nInstance } from '../../../scripts/n8n/n8nInstance.cts';
import type { N8nProcess } from '../../../scripts/n8n/n8nProcess.cts';

/**
 * Starts n8n without the 10 s by which it slows down after a crash, so that a crash loop hurts less:
 * it does nothing in them, and the file by which it knows of the crash serves nothing else.
 */
export async function startQuickly(n8n: N8nProcess): Promise<void> {
	await rm(join(n8n.userFolder, '.n8n', 'crash.journal'), { force: true });
	await n8n.start();
}

/**
 * Starts n8n and kills it once the moment has come, even while it is still starting.
 * @throws what the start or the wait for the moment throws
 */
export async function startAndKill(n8n: N8nInstance, moment: () => Promise<void>): Promise<void> {
	const starting = startQuickly(n8n);
	const startFails = new Promise<never>((_resolve, reject) => starting.catch(reject));
	try {
		await Promise.race([moment(), startFails]);
	} finally {
		await n8n.kill();
		// A start that the kill cut short says that n8n ended.
		await starting.catch(() => {});
	}
}
