import { access, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import lockfile from 'proper-lockfile';
import type { Say } from '../progress.cts';

const LOCK_STALE_MS = 30_000;
const LOCK_RETRY_MS = 2_000;
/** Longer than the slowest installation that was seen, so that a waiting start outlasts it. */
const LOCK_WAIT_MS = 30 * 60_000;

/**
 * Makes `folder` exist with what `fill` puts into it, once. It is filled under another name and
 * renamed when complete, so an interrupted installation is never taken for a finished one; a second
 * process that wants the same folder waits for the first.
 */
export async function installOnce(
	folder: string,
	say: Say,
	fill: (folder: string) => Promise<void>,
): Promise<void> {
	if (await exists(folder)) return;
	const parent = dirname(folder);
	await mkdir(parent, { recursive: true });
	const release = await lock(folder, say);
	try {
		if (await exists(folder)) return;
		const unfinished = `${basename(folder)}.installing-`;
		await removeLeftovers(parent, unfinished);
		const workplace = join(parent, `${unfinished}${process.pid}`);
		await mkdir(workplace);
		try {
			await fill(workplace);
			await rename(workplace, folder);
		} finally {
			await rm(workplace, { recursive: true, force: true });
		}
	} finally {
		await release();
	}
}

/** Waits its turn, and says once that it waits. */
async function lock(folder: string, say: Say): Promise<() => Promise<void>> {
	const options = { realpath: false, stale: LOCK_STALE_MS };
	try {
		return await lockfile.lock(folder, options);
	} catch (error) {
		if (!(error instanceof Error && 'code' in error && error.code === 'ELOCKED')) throw error;
	}
	say(`Another process is installing ${basename(folder)}; waiting for it …`);
	const retries = LOCK_WAIT_MS / LOCK_RETRY_MS;
	return await lockfile.lock(folder, {
		...options,
		retries: { retries, factor: 1, minTimeout: LOCK_RETRY_MS, maxTimeout: LOCK_RETRY_MS },
	});
}

/** Whoever holds the lock is alone, so an unfinished folder belongs to a process that was killed. */
async function removeLeftovers(parent: string, prefix: string): Promise<void> {
	const names = (await readdir(parent)).filter((name) => name.startsWith(prefix));
	await Promise.all(names.map((name) => rm(join(parent, name), { recursive: true, force: true })));
}

async function exists(path: string): Promise<boolean> {
	return await access(path).then(
		() => true,
		() => false,
	);
}
