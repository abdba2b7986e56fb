import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** The user's cache folder, where n8n and its Node are kept between runs and clones. */
export function cacheFolder({ XDG_CACHE_HOME = '' } = process.env): string {
	const base = isAbsolute(XDG_CACHE_HOME) ? XDG_CACHE_HOME : join(homedir(), '.cache');
	return join(base, 'n8n-nodes-content-scan');
}
