import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { formsOf, type SecretForm } from './secretForms.cts';

/** Where a secret stands although it must not. It names the secret by its label. */
export interface Leak {
	/** Relative to the folder that was searched. */
	file: string;
	label: string;
	form: string;
	/** The line up to its first tab: the table, in a dump of a database. */
	lineBegins: string;
}

export interface Search {
	files: number;
	bytes: number;
	leaks: Leak[];
}

export interface LabelledSecret {
	label: string;
	value: string;
}

const LINE_FEED = 10;
const LONGEST_LINE_BEGIN = 60;

/** Searches every file below `folder`, whatever it holds, for every form of every secret. */
export async function searchFolder(
	folder: string,
	secrets: readonly LabelledSecret[],
): Promise<Search> {
	const wanted = secrets.flatMap(({ label, value }) =>
		formsOf(value).map((form) => ({ ...form, label })),
	);
	const search: Search = { files: 0, bytes: 0, leaks: [] };
	for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
		if (!entry.isFile()) continue;
		const path = join(entry.parentPath, entry.name);
		const content = await readFile(path);
		search.files += 1;
		search.bytes += content.length;
		search.leaks.push(...leaksIn(relative(folder, path), content, wanted));
	}
	return search;
}

/** The first place of each form of each secret. */
function leaksIn(
	file: string,
	content: Buffer,
	wanted: ReadonlyArray<SecretForm & { label: string }>,
): Leak[] {
	return wanted.flatMap(({ label, form, bytes }) => {
		const at = content.indexOf(bytes);
		return at < 0 ? [] : [{ file, label, form, lineBegins: lineBegin(content, at) }];
	});
}

function lineBegin(content: Buffer, at: number): string {
	const start = content.lastIndexOf(LINE_FEED, at) + 1;
	const line = content.subarray(start, Math.min(at, start + LONGEST_LINE_BEGIN)).toString('latin1');
	return line.includes('\t') ? line.slice(0, line.indexOf('\t')) : '';
}
