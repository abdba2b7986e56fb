import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { N8nHost } from '../../../scripts/n8n/host.cts';

/** What the package uses where n8n has it, by the word to look for and the package of n8n. */
const NEWER = [
	{ word: 'getPollBudgetMs', package: 'n8n-core', what: 'the time budget of a poll' },
	{ word: 'credential-invalid', package: 'n8n-workflow', what: 'the cause of a failed poll' },
];

/**
 * What this n8n does not have of it.
 * @throws Error when it has all of it, since a run in it would show nothing then
 */
export async function missingFunctions({ folder }: N8nHost): Promise<string> {
	const missing: string[] = [];
	for (const { word, package: name, what } of NEWER) {
		if (!(await holds(join(folder, 'node_modules', name, 'dist'), word))) missing.push(what);
	}
	if (missing.length === NEWER.length) return missing.join(', ');
	throw new Error(`This n8n has more than was thought; it lacks only: ${missing.join(', ')}.`);
}

async function holds(folder: string, word: string): Promise<boolean> {
	for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
		if (!entry.isFile() || !entry.name.endsWith('.js')) continue;
		if ((await readFile(join(entry.parentPath, entry.name), 'utf8')).includes(word)) return true;
	}
	return false;
}
