import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export { readdir as listFolder, readFile, writeFile, mkdir } from 'node:fs/promises';
export { join } from 'node:path';

/** A new folder, and how to remove it. */
export async function temporaryFolder(): Promise<{ path: string; remove(): Promise<void> }> {
	const path = await mkdtemp(join(tmpdir(), 'content-scan-unit-'));
	return { path, remove: () => rm(path, { recursive: true, force: true }) };
}
