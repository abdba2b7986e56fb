import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../repositoryRoot.cts';

const FOLDER = join(repositoryRoot, '.github', 'workflows');

/** A GitHub workflow: name of its file, and text. */
export function workflows(): Array<{ name: string; text: string }> {
	return readdirSync(FOLDER).map((name) => ({
		name,
		text: readFileSync(join(FOLDER, name), 'utf8'),
	}));
}

/** The actions of a workflow that are not pinned by a full commit with its version beside it. */
export function unpinnedActions(text: string): string[] {
	const uses = [...text.matchAll(/uses:\s*(.+)$/gm)].map(([, used]) => used.trim());
	return uses.filter((used) => !/^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(used));
}
