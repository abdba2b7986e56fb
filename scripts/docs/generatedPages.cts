import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { repositoryRoot } from '../repositoryRoot.cts';
import { withOperations } from './operationRows.cts';
import { sourceErrors } from './sourceErrors.cts';
import { troubleshootingPage } from './troubleshootingPage.cts';

/** A page of docs/ that is made from the code. */
export interface GeneratedPage {
	/** Absolute path. */
	file: string;
	text: string;
}

function pathOf(page: string): string {
	return join(repositoryRoot, 'docs', page);
}

/** In interface.md it is the table of operations, everything else stays as it stands. */
export function generatedPages(): GeneratedPage[] {
	return [
		{ file: pathOf('troubleshooting.md'), text: troubleshootingPage(sourceErrors()) },
		{
			file: pathOf('interface.md'),
			text: withOperations(readFileSync(pathOf('interface.md'), 'utf8')),
		},
	];
}

/** The names of the pages that are older than the code they are made from. */
export function stalePages(): string[] {
	return generatedPages()
		.filter(({ file, text }) => !existsSync(file) || readFileSync(file, 'utf8') !== text)
		.map(({ file }) => basename(file));
}
