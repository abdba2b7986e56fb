import { noteLateIds } from '../../../../nodes/ContentScan/trigger/reading/lateIds';
import type { ListWindow } from '../../../../nodes/ContentScan/trigger/reading/listWindow';
import type { RememberedScans } from '../../../../nodes/ContentScan/trigger/reading/rememberedScans';
import { markOf, PENDING } from '../../../../nodes/ContentScan/trigger/reading/rememberedScans';
import {
	identitiesOf,
	shownScans,
} from '../../../../nodes/ContentScan/trigger/reading/scanIdentity';
import type { ScanRecord } from '../../../../services/scanning/scanRecord';
import { START } from './support/lifeOfFeed';

const iso = (seconds: number) => new Date((START + seconds) * 1000).toISOString();
const created_at = iso(5);
const pending: ScanRecord = { id: null, names: null, created_at, finished_at: null };
const harmful = { finished_at: iso(60), verbose_verdict: 'MAL' };
const watched: ListWindow = { start: START, end: START + 60, kind: 'watched', showsNew: false };

interface Shown {
	records: ScanRecord[];
	window?: ListWindow;
	isCut?: boolean;
	mark?: string;
}

/** Which of the records a scan is taken for that was remembered as `before`, of the first minute. */
function takenFor(before: ScanRecord, shown: Shown): ScanRecord | undefined {
	const { records, window = watched, isCut = false, mark = PENDING } = shown;
	const place = { from: START, to: START + 60, checked: START + 600, mark };
	const scans: RememberedScans = new Map([[identitiesOf(before)[0], place]]);
	noteLateIds(scans, shownScans(records), window, isCut);
	const found = records.find((record) => identitiesOf(record).some((one) => scans.has(one)));
	expect(scans.size).toBe(1);
	return found;
}

describe('a scan that was remembered without an ID is taken for', () => {
	const late = { ...pending, ...harmful, id: 7, root_scan_id: '7', path: 'a' };

	it.each<[string, ScanRecord, ScanRecord]>([
		['one with an ID and the same fields', pending, { ...pending, ...harmful, id: 7 }],
		['one whose other fields came, too', pending, late],
		['one whose names came, too', pending, { ...late, names: ['invoice'] }],
		['one that has got names, but no ID yet', pending, { ...pending, names: ['invoice'] }],
		['one whose time is written otherwise', pending, { ...late, created_at: START + 5 }],
	])('%s', (_, before, after) => {
		expect(takenFor(before, { records: [after] })).toBe(after);
	});

	it('one with the same verdict, if it was delivered before', () => {
		const mark = markOf('MAL');
		expect(takenFor(pending, { records: [late], mark })).toBe(late);
		const named = { ...pending, ...harmful, names: ['invoice'] };
		expect(takenFor(pending, { records: [named], mark })).toBe(named);
		const other = { ...late, verbose_verdict: 'SPM' };
		expect(takenFor(pending, { records: [other], mark })).toBeUndefined();
	});

	it('one that was delivered without an ID, and gets its path before that', () => {
		const later = { ...pending, ...harmful, path: 'a' };
		expect(takenFor(pending, { records: [later], mark: markOf('MAL') })).toBe(later);
	});

	it('the one that finished last, of several', () => {
		const earlier = { ...late, id: 8, path: 'b', finished_at: iso(20) };
		expect(takenFor(pending, { records: [earlier, late] })).toBe(late);
	});
});

describe('it is not taken for', () => {
	const late = { ...pending, ...harmful, id: 7, path: 'a' };

	it.each<[string, ScanRecord, Partial<Shown>]>([
		['one of another time', { ...late, created_at: iso(6) }, {}],
		['one that has no ID although it has finished', { ...late, id: null }, {}],
		['one in a window where it is not', late, { window: { ...watched, start: START + 61 } }],
		['another one of a window that may show more', late, { isCut: true }],
	])('%s', (_, other, shown) => {
		expect(takenFor(pending, { records: [other], ...shown })).toBeUndefined();
	});

	it('one with the same verdict in a window that may show more, though it shows new ones', () => {
		const window: ListWindow = { ...watched, kind: 'new', showsNew: true };
		const shown = { records: [late], window, isCut: true };
		expect(takenFor(pending, { ...shown, mark: markOf('MAL') })).toBeUndefined();
		expect(takenFor(pending, shown)).toBe(late);
	});

	it('one with other names', () => {
		const named = { ...pending, names: ['invoice'] };
		expect(takenFor(named, { records: [{ ...late, names: ['letter'] }] })).toBeUndefined();
	});

	it('another one, while it is shown itself', () => {
		expect(takenFor(pending, { records: [late, pending] })).toBe(pending);
	});
});
