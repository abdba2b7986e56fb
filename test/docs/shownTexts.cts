import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { repositoryRoot } from '../../scripts/repositoryRoot.cts';

/** What a file does that shows words of its own to a user, in the editor or in n8n's log. */
const SHOWS_TEXT =
	/new (UserError|NodeOperationError)\(|refusedValue\(|addHints|\bwarn\(|failures = |type: 'responseCode'|wrongShape\(|\bpendingNote\b/;

/** Texts of a form, and advice, which the page gives in words of its own. */
const ELSEWHERE = /^(name|displayName|placeholder|hint|description|advice|howToCheck|ifNotFound)$/;

/** The label of a field, or one capital beginning of a sentence. */
const TITLE = /^[A-Z]\w*( ([A-Z]\w*|of|the|per|from|\(\w+\)))*$/;

/** Files whose texts name what is wrong and say what it may be: the page has one section for all of them. */
const NAMES_A_FIELD =
	/^(input|credentials\/common\/authenticatedRequest|services\/console\/requestHeaders|services\/scanning\/(apiToken|bodyTemplate|operationPaths)|nodes\/ConsoleAuditLog\/(actions\/getOneEntry|output\/lineTemplate)|nodes\/ContentScan\/actions\/common\/(callbackFields|longSecret|scanFilters|scanId)|nodes\/ContentScan\/actions\/scan\/(changeVerdict|scanUrl))\b/;

export function read(path: string): string {
	return readFileSync(join(repositoryRoot, path), 'utf8');
}

function sourceFiles(folder: string): string[] {
	return readdirSync(join(repositoryRoot, folder), { recursive: true, encoding: 'utf8' })
		.filter((path) => path.endsWith('.ts'))
		.map((path) => join(folder, path));
}

/** The texts of a file as written, `…` standing for what is put into them. */
function texts(file: string): string[] {
	const source = ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest);
	const found: string[] = [];
	const visit = (node: ts.Node): void => {
		if (ts.isImportDeclaration(node)) return;
		if (ts.isPropertyAssignment(node) && ELSEWHERE.test(node.name.getText(source))) return;
		if (ts.isStringLiteralLike(node)) found.push(node.text);
		if (ts.isTemplateExpression(node)) {
			found.push(
				[node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('…'),
			);
		}
		ts.forEachChild(node, visit);
	};
	visit(source);
	return found;
}

/** What can be searched for: the first sentence, in the pieces that are the same in every case. */
function searchable(text: string): string[] {
	const [sentence] = text.replace(/\{(purpose|service|detail)\}/g, '…').split(/\.(?:\s|$)/);
	return sentence
		.split('…')
		.map((piece) => piece.trim())
		.filter((piece) => /\w\S*\s.*\w/.test(piece) && !TITLE.test(piece));
}

/** The files of the package that show texts, each with the pieces of text that a user may search for. */
export function shownTexts(): Array<{ file: string; pieces: string[] }> {
	return ['credentials', 'nodes', 'services', 'transport', 'input']
		.flatMap(sourceFiles)
		.filter((file) => !NAMES_A_FIELD.test(file) && SHOWS_TEXT.test(read(file)))
		.map((file) => ({ file, pieces: texts(file).flatMap(searchable) }));
}
