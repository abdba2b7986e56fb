import { FeedReading } from '../../../../nodes/ContentScan/trigger/reading/feedReading';
import { PollTime } from '../../../../nodes/ContentScan/trigger/reading/pollTime';
import type { FeedState } from '../../../../nodes/ContentScan/trigger/reading/feedState';
import { freshState } from '../../../../nodes/ContentScan/trigger/reading/feedState';
import type { ListWindow } from '../../../../nodes/ContentScan/trigger/reading/listWindow';
import type { ScanRecord } from '../../../../services/scanning/scanRecord';
import { watchedForAnHour } from './support/feedSettings';

const START = Date.UTC(2026, 5, 15, 12) / 1000;
const MINUTE = 60;
const HOUR = 3600;

const settings = { ...watchedForAnHour, watchSeconds: 86_400 };

interface Scan {
	id: number;
	created: number;
	done: number;
}

function recordOf({ id, created, done }: Scan, now: number): ScanRecord {
	const iso = (second: number) => new Date(second * 1000).toISOString();
	return {
		id,
		created_at: iso(created),
		finished_at: done <= now ? iso(done) : null,
		verbose_verdict: done <= now ? 'MAL' : null,
	};
}

interface Poll {
	/** By n8n's own clock. */
	now: number;
	/** As the service tells it. */
	told?: number;
	listed: Scan[];
	refused?: (window: ListWindow) => boolean;
	maxScans?: number;
}

/** One poll of ten windows at most. */
function poll(state: FeedState, { now, told, listed, refused, maxScans }: Poll) {
	const reading = new FeedReading(
		state,
		{ ...settings, maxScans: maxScans ?? settings.maxScans },
		new PollTime(now),
	);
	const windows: ListWindow[] = [];
	while (windows.length < 10) {
		const window = reading.nextWindow;
		if (!window) break;
		windows.push(window);
		if (refused?.(window)) {
			reading.refused(window);
			continue;
		}
		const shown = listed.filter(({ created }) => created >= window.start && created <= window.end);
		const records = shown.map((scan) => recordOf(scan, told ?? now));
		reading.take(window, { records, end: 'said', toldAt: told });
	}
	const ids = reading.result().events.map(({ record }) => Number(record?.id));
	return { ids, state: reading.result().state, windows };
}

it('pending scans are found although one second among them is refused later', () => {
	const scans = Array.from({ length: 300 }, (_, index) => {
		const created = START + index * 36;
		return { id: index, created, done: created + (index % 40 === 39 ? 5400 : 30) };
	});
	const isBad = ({ start, end }: ListWindow) => start <= START + 1800 && end >= START + 1800;
	const told = new Map<number, number>();
	let state = freshState('model', START);
	let calls = 0;
	for (let minute = 0; minute < 180; minute++) {
		const now = START + 3 * HOUR + minute * MINUTE;
		const refused = (window: ListWindow) => minute >= 2 && isBad(window);
		const done = poll(state, { now, listed: scans, refused });
		for (const id of done.ids) told.set(id, minute);
		calls += done.windows.length;
		state = done.state;
	}
	expect(told.size).toBe(300);
	expect(Math.max(...told.values())).toBeLessThan(100);
	expect(calls).toBeLessThan(500);
});

it("one poll with n8n's clock days ahead leaves no scan out", () => {
	const late = { id: 1, created: START + 20 * MINUTE, done: START + 21 * MINUTE };
	const ahead = { now: START + 2 * 86_400, told: START + 5 * MINUTE, listed: [late] };
	let { state } = poll(freshState('model', START), ahead);
	const ids: number[] = [];
	for (let minute = 22; minute < 40; minute++) {
		const now = START + minute * MINUTE;
		const done = poll(state, { now, told: now, listed: [late] });
		ids.push(...done.ids);
		state = done.state;
	}
	expect(ids).toEqual([1]);
});

it('a told time from before what was read is no reason to stay there', () => {
	let state = freshState('model', START);
	for (let minute = 1; minute < 60; minute++) {
		({ state } = poll(state, { now: START + minute * MINUTE, told: 0, listed: [] }));
	}
	expect(state.settledTo).toBeGreaterThan(START + 40 * MINUTE);
});

it('a scan that one list left out does not come twice', () => {
	const scan = { id: 1, created: START + 400, done: START + 401 };
	let state = freshState('model', START);
	const ids: number[] = [];
	for (let minute = 7; minute < 30; minute++) {
		const listed = minute === 13 ? [] : [scan];
		const done = poll(state, { now: START + minute * MINUTE, listed });
		ids.push(...done.ids);
		state = done.state;
	}
	expect(ids).toEqual([1]);
});

it('a poll that may bring no more remembers whose turn comes next', () => {
	const listed = [{ id: 1, created: START + 5, done: START + 6 }];
	const { state } = poll(freshState('model', START), { now: START + MINUTE, listed, maxScans: 1 });
	expect(state.last).toBe('new');
});
