import { PAGE_SIZE } from '../../../services/scanning/scanList';
import type { ScanRecord } from '../../../services/scanning/scanRecord';
import { isFinished, recordVerdict } from '../../../services/scanning/scanRecord';
import { verdictCode } from '../../../services/scanning/verdict';
import type { Call } from '../../../transport/call';
import { OTHER } from './feedFields';
import { isSelected } from './feedSettings';
import type { FeedSource } from './readList';
import { pagesOf } from './readList';
import { createdSecond, identitiesOf } from './reading/scanIdentity';

/** Scans that "Fetch Test Event" shows. */
export const WANTED = 10;

/** The first stretch before now, in seconds, how it grows, and where it ends. */
const FIRST_STRETCH = 3600;
const GROWTH = 8;
const LONGEST_STRETCH = 90 * 86_400;

/** Looks at the list for one verdict, and pages of one look. */
const MOST_LOOKS = 7;
const MOST_PAGES = 3;

/** The queries that find the selected verdicts: what is not documented can only be picked out. */
function queries(verdicts: string[]): Array<NonNullable<Call['query']>> {
	if (verdicts.length === 0) return [{}];
	return verdicts.map((word) => (word === OTHER ? {} : { verbose_verdict: verdictCode(word) }));
}

interface Look {
	found: ScanRecord[];
	isWhole: boolean;
}

async function lookAt(
	source: FeedSource,
	query: NonNullable<Call['query']>,
	isWanted: (record: ScanRecord) => boolean,
): Promise<Look> {
	const found: ScanRecord[] = [];
	let pages = 0;
	for await (const { records, more, count } of pagesOf(source, { ...query, limit: PAGE_SIZE })) {
		for (const record of records) if (isWanted(record)) found.push(record);
		const isTooMuch = ++pages === MOST_PAGES || (count ?? 0) > MOST_PAGES * PAGE_SIZE;
		if (more && isTooMuch) return { found, isWhole: false };
	}
	return { found, isWhole: true };
}

/** The list may come in any order, so a stretch is widened or narrowed until all of it can be read. */
async function newestOf(
	source: FeedSource,
	query: NonNullable<Call['query']>,
	isWanted: (record: ScanRecord) => boolean,
): Promise<ScanRecord[]> {
	const now = Math.floor(source.clock.now() / 1000);
	let stretch = FIRST_STRETCH;
	let best: ScanRecord[] = [];
	let tooLong = Infinity;
	for (let look = 0; look < MOST_LOOKS; look++) {
		const { found, isWhole } = await lookAt(source, { ...query, start: now - stretch }, isWanted);
		if (isWhole || best.length === 0) best = found;
		if (!isWhole) tooLong = stretch;
		const isEnough = isWhole && (found.length >= WANTED || stretch >= LONGEST_STRETCH);
		const next = isWhole ? stretch * GROWTH : stretch / GROWTH;
		if (isEnough || next >= tooLong || next < 1) break;
		stretch = Math.floor(Math.min(next, LONGEST_STRETCH));
	}
	return best;
}

/**
 * The newest finished scans with a selected verdict, the oldest of them first: ten at most.
 * @throws NodeApiError as the transport.
 */
export async function newestScans(source: FeedSource, verdicts: string[]): Promise<ScanRecord[]> {
	const isWanted = (record: ScanRecord) =>
		isFinished(record) && isSelected(verdicts, recordVerdict(record)?.code ?? '');
	const scans = new Map<string, ScanRecord>();
	for (const query of queries(verdicts)) {
		for (const record of await newestOf(source, query, isWanted)) {
			scans.set(identitiesOf(record)[0], record);
		}
	}
	const created = (record: ScanRecord) => createdSecond(record) ?? 0;
	return [...scans.values()].sort((a, b) => created(a) - created(b)).slice(-WANTED);
}
