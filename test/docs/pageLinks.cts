import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { repositoryRoot } from '../../scripts/repositoryRoot.cts';

/** Written by the commands that measure, which not every clone has run. */
const MEASURED = /docs\/measurements\/[\w-]+\.md$/;

/** A page of documentation: path from the root of the repository, and text. */
export interface Page {
	path: string;
	text: string;
}

/** The pages that a stranger begins with. */
export function pages(): Page[] {
	const docs = readdirSync(join(repositoryRoot, 'docs')).filter((name) => name.endsWith('.md'));
	return ['README.md', 'ARCHITECTURE.md', 'CHANGELOG.md', ...docs.map((name) => `docs/${name}`)]
		.filter((path) => existsSync(join(repositoryRoot, path)))
		.map((path) => ({ path, text: read(path) }));
}

function read(path: string): string {
	return readFileSync(join(repositoryRoot, path), 'utf8');
}

/** Links of a page to files or headings that do not exist. */
export function deadLinks({ path, text }: Page): string[] {
	const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target);
	return targets.filter((target) => !/^[a-z]+:/.test(target) && !leadsSomewhere(path, target));
}

function leadsSomewhere(page: string, target: string): boolean {
	const [file, heading] = target.split('#');
	const path = file ? relative('.', join(dirname(page), file)) : page;
	if (MEASURED.test(path)) return true;
	if (!existsSync(join(repositoryRoot, path))) return false;
	return heading === undefined || headings(read(path)).includes(heading);
}

/** As links write them. */
function headings(text: string): string[] {
	return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
		heading
			.toLowerCase()
			.replace(/[^\w\s-]/g, '')
			.replace(/\s/g, '-'),
	);
}
