/**
 * What the trigger does with an entry beyond what a bare reader does, over 100,000 entries in pages of
 * 1,000. Prints microseconds of processor time for one entry, round by round, as JSON.
 */
import { readingFrom } from '../../nodes/ConsoleAuditLog/reading/logReading';
import { freshState } from '../../nodes/ConsoleAuditLog/reading/pollState';
import { defaultConsoleHeaders } from '../../sandbox/fixtures/accounts.cts';
import { USUAL_FIELDS } from '../../services/console/auditLogEntry';
import type { AuditLogEntry } from '../../services/console/auditLogEntry';
import { parseExactJson } from '../../transport/exactJson';
import { withoutTokens } from '../../transport/withoutTokens';
import { printFigures } from '../measuredApart.cts';
import { PreparedPages } from '../preparedAnswers/preparedPages.cts';

const ENTRIES = 100_000;
const PAGE_SIZE = 1000;
const WARM_UP_ROUNDS = 2;
const ROUNDS = 9;

/** Microseconds for one entry. */
export interface EntryCosts {
	/** To tell new entries from known ones, and to remember them. */
	remembering: number;
	/** To find numbers that would be rounded, and answers that hold too much, before they are parsed. */
	bounds: number;
	/** To find the values of the credential in answers. */
	secrets: number;
}

interface Page {
	items: AuditLogEntry[];
	nextPageToken: string | null;
}

function pagesOfLog(): Buffer[] {
	const log = new PreparedPages(ENTRIES);
	const pages: Buffer[] = [];
	let query = `limit=${PAGE_SIZE}`;
	for (;;) {
		const { body } = log.answer(query);
		pages.push(body);
		const { nextPageToken } = parsed(body);
		if (!nextPageToken) return pages;
		query = `limit=${PAGE_SIZE}&pageToken=${encodeURIComponent(nextPageToken)}`;
	}
}

function parsed(page: Buffer): Page {
	return JSON.parse(page.toString()) as Page;
}

/** Collects processor time, in microseconds. */
class Stopwatch {
	spent = 0;

	during<T>(work: () => T): T {
		const before = process.cpuUsage();
		const result = work();
		const { user, system } = process.cpuUsage(before);
		this.spent += user + system;
		return result;
	}
}

function remembering(pages: Buffer[]): number {
	const now = Date.now();
	const settings = {
		...USUAL_FIELDS,
		lookbackMs: 300_000,
		pageSize: PAGE_SIZE,
		maxEntries: ENTRIES,
		mostBytes: Infinity,
	};
	const reading = readingFrom(freshState('benchmark'), settings, { now });
	const stopwatch = new Stopwatch();
	for (const page of pages) {
		const { items, nextPageToken } = parsed(page);
		const taken = { items, nextPageToken: nextPageToken ?? undefined };
		stopwatch.during(() => reading.take(taken, now));
	}
	stopwatch.during(() => reading.state);
	if (reading.newEntries.length < ENTRIES) throw new Error(`${reading.newEntries.length} are new.`);
	return stopwatch.spent;
}

function bounds(pages: Buffer[]): number {
	const [bare, exact] = [new Stopwatch(), new Stopwatch()];
	for (const [index, page] of pages.entries()) {
		// Neither has always the page that the other has just had.
		if (index % 2 === 0) bare.during(() => parsed(page));
		exact.during(() => parseExactJson(page));
		if (index % 2 === 1) bare.during(() => parsed(page));
	}
	return exact.spent - bare.spent;
}

function secrets(pages: Buffer[]): number {
	const tokens = Object.values(defaultConsoleHeaders);
	const stopwatch = new Stopwatch();
	for (const page of pages) {
		const answer = parsed(page);
		stopwatch.during(() => withoutTokens(answer, tokens, page));
	}
	return stopwatch.spent;
}

const pages = pagesOfLog();
const rounds = Array.from(
	{ length: WARM_UP_ROUNDS + ROUNDS },
	(): EntryCosts => ({
		remembering: remembering(pages) / ENTRIES,
		bounds: bounds(pages) / ENTRIES,
		secrets: secrets(pages) / ENTRIES,
	}),
);
printFigures(Promise.resolve(rounds.slice(WARM_UP_ROUNDS)));
