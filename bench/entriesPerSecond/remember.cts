/**
 * What it takes to tell new entries from known ones, over 100,000 entries in pages of 1,000 that are
 * parsed already. Prints microseconds of processor time for one entry, round by round, as JSON.
 */
import { readingFrom } from '../../nodes/ConsoleAuditLog/reading/logReading';
import { freshState } from '../../nodes/ConsoleAuditLog/reading/pollState';
import { USUAL_FIELDS } from '../../services/console/auditLogEntry';
import type { AuditLogEntry } from '../../services/console/auditLogEntry';
import { printFigures } from '../measuredApart.cts';
import { PreparedPages } from '../preparedAnswers/preparedPages.cts';

const ENTRIES = 100_000;
const PAGE_SIZE = 1000;
const WARM_UP_ROUNDS = 2;
const ROUNDS = 9;

interface Page {
	items: AuditLogEntry[];
	nextPageToken: string | null;
}

function pagesOfLog(): string[] {
	const log = new PreparedPages(ENTRIES);
	const texts: string[] = [];
	let query = `limit=${PAGE_SIZE}`;
	for (;;) {
		const text = log.answer(query).body.toString();
		texts.push(text);
		const { nextPageToken } = JSON.parse(text) as Page;
		if (!nextPageToken) return texts;
		query = `limit=${PAGE_SIZE}&pageToken=${encodeURIComponent(nextPageToken)}`;
	}
}

function oneRound(texts: string[]): number {
	const now = Date.now();
	const settings = {
		...USUAL_FIELDS,
		lookbackMs: 300_000,
		pageSize: PAGE_SIZE,
		maxEntries: ENTRIES,
	};
	const reading = readingFrom(freshState('benchmark'), settings, { now });
	let spent = 0;
	const timed = (work: () => unknown): void => {
		const before = process.cpuUsage();
		work();
		const { user, system } = process.cpuUsage(before);
		spent += user + system;
	};
	for (const text of texts) {
		const { items, nextPageToken } = JSON.parse(text) as Page;
		timed(() => reading.take({ items, nextPageToken: nextPageToken ?? undefined }, now));
	}
	timed(() => reading.state);
	if (reading.newEntries.length < ENTRIES) throw new Error(`${reading.newEntries.length} are new.`);
	return spent / ENTRIES;
}

const texts = pagesOfLog();
const rounds = Array.from({ length: WARM_UP_ROUNDS + ROUNDS }, () => oneRound(texts));
printFigures(Promise.resolve(rounds.slice(WARM_UP_ROUNDS)));
