import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { repositoryRoot } from '../repositoryRoot.cts';
import { sourceErrors } from './sourceErrors.cts';
import { troubleshootingPage } from './troubleshootingPage.cts';

/** A page of docs/ that is made from the code. */
export interface GeneratedPage {
	/** Absolute path. */
	file: string;
	text: string;
}

export function generatedPages(): GeneratedPage[] {
	const page = (name: string, text: string) => ({ file: join(repositoryRoot, 'docs', name), text });
	return [page('troubleshooting.md', troubleshootingPage(sourceErrors()))];
}

/** The names of the pages that are older than the code they are made from. */
export function stalePages(): string[] {
	return generatedPages()
		.filter(({ file, text }) => !existsSync(file) || readFileSync(file, 'utf8') !== text)
		.map(({ file }) => basename(file));
}
