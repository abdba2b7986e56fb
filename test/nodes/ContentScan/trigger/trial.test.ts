import { FeedReading } from '../../../../nodes/ContentScan/trigger/reading/feedReading';
import { freshState } from '../../../../nodes/ContentScan/trigger/reading/feedState';
import type { ListWindow } from '../../../../nodes/ContentScan/trigger/reading/listWindow';
import { PollTime } from '../../../../nodes/ContentScan/trigger/reading/pollTime';
import type { StoredTrial } from '../../../../nodes/ContentScan/trigger/reading/trial';
import { Trial } from '../../../../nodes/ContentScan/trigger/reading/trial';
import { watchedForAnHour } from './support/feedSettings';

const NOW = Date.UTC(2026, 5, 15, 12) / 1000;
/** What is tried: half an hour ahead of n8n's clock. */
const TRIED = NOW + 1800;

function trial(stored: StoredTrial = {}) {
	const it = new Trial({ settledTo: TRIED, ...stored }, NOW);
	/** So many scans, one a second from a moment on. */
	const sees = (from: number, times = 1, isNew = true) => {
		for (let created = from; created < from + times; created++) {
			it.sees({ from: created, to: created }, isNew);
		}
	};
	return { it, sees };
}

it('many new scans that are all ahead tell that n8n is behind', () => {
	const { it, sees } = trial({ newAhead: 1 });
	sees(TRIED, 18);
	expect(it.passedTo(false)).toBe(-Infinity);
	sees(TRIED + 18);
	expect(it.passedTo(false)).toBe(TRIED);
});

it('one that is not ahead tells for an hour that it is not', () => {
	const { it, sees } = trial({ newAhead: 50, ahead: 50 });
	sees(NOW - 5);
	sees(TRIED, 50);
	expect([it.passedTo(false), it.passedTo(true)]).toEqual([-Infinity, -Infinity]);
	const failed = (failedAt: number) => trial({ newAhead: 50, failedAt }).it.passedTo(false);
	expect(failed(NOW - 3500)).toBe(-Infinity);
	expect(failed(NOW - 3700)).toBe(TRIED);
});

it('scans that are read again tell nothing, unless the poll does not come to new ones', () => {
	const { it, sees } = trial();
	sees(NOW + 200, 50, false);
	expect([it.passedTo(false), it.passedTo(true)]).toEqual([-Infinity, TRIED]);
});

it('few tell nothing, however often they are read', () => {
	let stored: StoredTrial = {};
	for (let poll = 0; poll < 3; poll++) {
		const { it, sees } = trial(stored);
		sees(NOW + 200, 4, false);
		expect(it.passedTo(true)).toBe(-Infinity);
		stored = it.next(TRIED, false, false);
	}
	const { it, sees } = trial(stored);
	sees(NOW + 200, 5, false);
	expect(it.passedTo(true)).toBe(TRIED);
});

it('scans that are hardly ahead tell nothing, nor does one that is listed late where n8n is far behind', () => {
	const { it, sees } = trial();
	sees(NOW + 100, 20, false);
	sees(NOW + 900, 20);
	expect(it.next(TRIED, false, false).failedAt).toBeUndefined();
	expect(it.passedTo(false)).toBe(-Infinity);
});

it('no list is stuck for good: after half an hour of polls that do not come to the present, none is needed', () => {
	let stored: StoredTrial = {};
	for (let poll = 0; poll < 30; poll++) {
		const { it } = trial(stored);
		expect(it.passedTo(true)).toBe(-Infinity);
		stored = it.next(TRIED, true, false);
	}
	expect([trial(stored).it.passedTo(true), trial(stored).it.passedTo(false)]).toEqual([
		TRIED,
		-Infinity,
	]);
	const { it } = trial(trial(stored).it.next(TRIED, false, false));
	expect(it.passedTo(true)).toBe(-Infinity);
});

it('what has told nothing in the end tells nothing later', () => {
	const { it, sees } = trial();
	sees(TRIED, 19);
	const untried = it.next(undefined, false, false);
	expect(new Trial(untried, NOW).next(TRIED, false, false).newAhead).toBeUndefined();
});

it('a scan whose time may be before or after says nothing', () => {
	const { it } = trial();
	it.sees({ from: NOW - 100, to: TRIED + 100 }, true);
	expect(it.next(TRIED, false, false)).toEqual({ settledTo: TRIED, stuckPolls: 0 });
});

describe('once it is passed', () => {
	it('it counts for an hour, so that busy lists are not read twice', () => {
		const { it } = trial({ passedAt: NOW - 3500 });
		expect(it.passedTo(false)).toBe(Infinity);
		expect(it.next(undefined, false, true)).toEqual({ passedAt: NOW - 3500 });
	});

	it('it must be passed anew after an hour', () => {
		const passed = trial({ newAhead: 20, ahead: 5 }).it.next(undefined, false, true);
		expect(passed).toEqual({ ahead: 5, passedAt: NOW });
		const { it } = trial({ passedAt: NOW - 3700 });
		expect(it.passedTo(false)).toBe(-Infinity);
		expect(it.next(TRIED, false, false)).toEqual({ settledTo: TRIED, stuckPolls: 0 });
	});

	it('it counts no longer where nothing that is not ahead could have been seen', () => {
		const { it } = trial({ settledTo: NOW, ahead: 50 });
		expect(it.passedTo(true)).toBe(NOW);
		expect(it.next(TRIED, true, true)).toEqual({ settledTo: TRIED, ahead: 50 });
		const few = trial({ stuckPolls: 30 }).it;
		expect(few.next(TRIED, true, true)).toEqual({ settledTo: TRIED });
	});

	it('a scan that is not ahead ends it at once', () => {
		const { it, sees } = trial({ passedAt: NOW - 10 });
		sees(NOW);
		expect(it.passedTo(false)).toBe(-Infinity);
		const failed = { settledTo: TRIED, failedAt: NOW, stuckPolls: 0 };
		expect(it.next(TRIED, false, false)).toEqual(failed);
	});
});

it('nothing new counts where nothing is tried', () => {
	const { it, sees } = trial({ settledTo: undefined });
	sees(NOW + 100, 30);
	expect(it.next(undefined, false, false).newAhead).toBeUndefined();
	expect(it.passedTo(true)).toBe(-Infinity);
});

describe('in a poll whose service is an hour ahead of n8n', () => {
	/** How many scans count as ahead, of six in one window that tell these times. */
	function aheadOf(window: Partial<ListWindow>, created?: number) {
		const before = freshState('scope', NOW - 600);
		const reading = new FeedReading(before, watchedForAnHour, new PollTime(NOW));
		const created_at = created === undefined ? null : new Date(created * 1000).toISOString();
		const records = Array.from({ length: 6 }, (_, id) => ({ id, created_at }));
		const whole: ListWindow = { start: NOW - 600, end: NOW + 4200, kind: 'new', showsNew: true };
		const content = { records, end: 'said' as const, toldAt: NOW + 3600 };
		reading.take({ ...whole, ...window }, content);
		return reading.result().trial.ahead;
	}

	it('scans count that are ahead of n8n, also where only a look shows them', () => {
		expect(aheadOf({}, NOW + 3500)).toBe(6);
		expect(aheadOf({}, NOW - 10)).toBeUndefined();
		const look: Partial<ListWindow> = { start: NOW + 600, kind: 'beyond', showsNew: false };
		expect(aheadOf(look, NOW + 3500)).toBe(6);
	});

	it('scans that do not tell their time count where all of their window is ahead', () => {
		expect(aheadOf({})).toBeUndefined();
		expect(aheadOf({ start: NOW + 600 })).toBe(6);
		const local = NOW - 18_000;
		expect(aheadOf({}, local)).toBeUndefined();
	});
});
