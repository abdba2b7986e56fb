import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repositoryRoot } from '../repositoryRoot.cts';
import { describeMachine } from './machine.cts';

const folder = join(repositoryRoot, 'docs', 'measurements');

/** Figures as they were measured, with what a reader needs to measure them again. */
export interface Measured<T> {
	/** The day, ISO 8601. */
	date: string;
	machine: string;
	command: string;
	figures: T;
}

/** Everything measured under one heading, by the name of what was measured. */
export type Records<T> = Record<string, Measured<T>>;

export function measuredNow<T>(command: string, figures: T): Measured<T> {
	const date = new Date().toISOString().slice(0, 10);
	return { date, machine: describeMachine(), command, figures };
}

/**
 * Keeps new figures beside those of other runs in `docs/measurements/<page>.json` and writes
 * `docs/measurements/<page>.md` from all of them.
 */
export async function record<T>(
	page: string,
	fresh: Records<T>,
	write: (records: Records<T>) => string,
): Promise<void> {
	await recordIn(folder, page, fresh, write);
}

/** The same in another folder. */
export async function recordIn<T>(
	place: string,
	page: string,
	fresh: Records<T>,
	write: (records: Records<T>) => string,
): Promise<void> {
	await mkdir(place, { recursive: true });
	const file = join(place, `${page}.json`);
	const kept = await readFile(file, 'utf8').catch(() => '{}');
	const records = { ...(JSON.parse(kept) as Records<T>), ...fresh };
	await writeFile(file, `${JSON.stringify(records, null, '\t')}\n`);
	await writeFile(join(place, `${page}.md`), write(records));
}

/** Where and how the figures of a page came to be; what they share is said once. */
export function originOf(records: Records<unknown>): string {
	const origins = new Map<string, string[]>();
	for (const [name, { date, machine, command }] of Object.entries(records)) {
		const origin = `${date}, \`${command}\`, on ${machine}`;
		origins.set(origin, [...(origins.get(origin) ?? []), name]);
	}
	if (origins.size === 1) return `Measured ${[...origins.keys()][0]}.`;
	return [...origins].map(([origin, names]) => `- ${origin}: ${names.join('; ')}`).join('\n');
}
