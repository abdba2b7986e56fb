import { mkdtemp, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { ActionableError } from '../actionableError.cts';

/** Where large installations are kept between runs and clones. */
export interface CacheFolder {
	path: string;
	/** Removes what was not to be kept; nothing for a cache that stays. */
	discard(): Promise<void>;
}

/**
 * The folder for n8n and its Node. `CONTENT_SCAN_CACHE` moves it (an absolute path) or, set to
 * `off`, ignores what is kept and keeps nothing; else it is the user's cache folder.
 */
export async function cacheFolder(environment = process.env): Promise<CacheFolder> {
	const setting = environment.CONTENT_SCAN_CACHE ?? '';
	if (setting === 'off') {
		const path = await mkdtemp(join(tmpdir(), 'content-scan-cache-'));
		return { path, discard: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) };
	}
	return { path: keptFolder(setting, environment.XDG_CACHE_HOME), discard: async () => {} };
}

function keptFolder(setting: string, userCache: string | undefined): string {
	if (setting === '') {
		const base = userCache && isAbsolute(userCache) ? userCache : join(homedir(), '.cache');
		return join(base, 'n8n-nodes-content-scan');
	}
	if (isAbsolute(setting)) return setting;
	throw new ActionableError(
		`CONTENT_SCAN_CACHE is '${setting}', which is neither 'off' nor an absolute path.`,
		'Set it to a folder by its whole path, or to off, or leave it unset.',
	);
}
