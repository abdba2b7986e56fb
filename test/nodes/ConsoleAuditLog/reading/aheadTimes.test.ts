import type { ReadingMemory } from '../../../../nodes/ConsoleAuditLog/reading/logReading';
import type { ReadingSettings } from '../../../../nodes/ConsoleAuditLog/reading/readingSettings';
import { BEGIN, entries, inOrder, MINUTE, trigger } from '../support/handPolledTrigger';
import type { ModelEntry } from '../support/modelLog';
import type { PollPlan } from '../support/modelPoll';
import { SETTINGS } from '../support/modelPoll';

/** A console that writes local times without a zone, east of UTC, and filters by the true ones. */
const AHEAD = 120 * MINUTE;
const log = entries(3600, 1000).map((one) => ({
	...one,
	entry: { ...one.entry, createdAt: new Date(one.time + AHEAD).toISOString().replace('Z', '') },
}));

describe('entries that are all dated hours ahead of the console’s clock', () => {
	test.each<Record<number, 'fails' | 'tokenRefused'>>([{}, { 1: 'tokenRefused' }, { 2: 'fails' }])(
		'come once where a backlog takes several polls, with the faults %j',
		(faults) => {
			const ticking = trigger(log, {}, BEGIN + 60 * MINUTE);
			ticking.settings = { ...SETTINGS, pageSize: 100, maxEntries: 500 };
			for (let poll = 0; poll < 40; poll++) {
				ticking.poll({ faults });
				ticking.now += MINUTE;
			}
			expect(ticking.came).toEqual(inOrder(3600));
		},
	);
});

const HOUR = 60 * MINUTE;
const local = (log: ModelEntry[], ahead: number) =>
	log.map((one) => ({
		...one,
		entry: { ...one.entry, createdAt: new Date(one.time + ahead).toISOString().replace('Z', '') },
	}));

/** Polls a log until `begun`, and from `off` later on, each minute, with the faults in each poll. */
function came(
	log: ModelEntry[],
	{ begun, off, polls = 65, faults = {}, callMs = 0, ...settings }: Case,
): string[] {
	const ticking = trigger(log, {}, BEGIN);
	ticking.settings = { ...SETTINGS, ...settings };
	for (; ticking.now < BEGIN + begun; ticking.now += MINUTE) ticking.poll();
	ticking.now += off;
	for (let poll = 0; poll < polls; poll++) {
		ticking.poll({ faults, callMs });
		ticking.now += MINUTE;
	}
	return ticking.came;
}

interface Case extends Partial<ReadingSettings> {
	begun: number;
	off: number;
	polls?: number;
	faults?: PollPlan['faults'];
	callMs?: number;
}

describe('a backlog longer than entries are dated ahead of the console’s clock', () => {
	const rows: Array<Case & { ahead: number }> = [
		{ ahead: 2 * HOUR, begun: 5 * MINUTE, off: 10 * HOUR, faults: { 2: 'tokenRefused' } },
		{ ahead: 9 * HOUR, begun: 5 * MINUTE, off: 15 * HOUR, faults: { 2: 'tokenRefused' } },
		{ ahead: HOUR, begun: 5 * MINUTE, off: 5 * HOUR, faults: { 3: 'fails' }, callMs: 1000 },
		{ ahead: 2 * HOUR, begun: 5 * MINUTE, off: 10 * HOUR, maxEntries: 100 },
		{ ahead: 2 * HOUR, begun: 5 * MINUTE, off: 10 * HOUR, faults: { 0: 'tokenRefused' } },
		{ ahead: 2 * HOUR, begun: 0, off: 10 * HOUR, faults: { 3: 'tokenRefused' } },
		{ ahead: 2 * HOUR, begun: 0, off: 10 * HOUR, faults: { 0: 'tokenRefused' } },
		{ ahead: 2 * HOUR, begun: 0, off: 10 * HOUR, faults: { 0: 'tokenRefused' }, maxEntries: 600 },
	];
	test.each(rows)('comes once: %j', ({ ahead, ...row }) => {
		const log = local(entries(Math.floor((row.off + HOUR) / 20_000), 20_000), ahead);
		expect(came(log, { pageSize: 50, maxEntries: 400, ...row })).toEqual(inOrder(log.length));
	});
});

test.each([1, 2, 4, 5])('a backlog of entries dated %d minutes ahead comes once', (minutes) => {
	const log = local(entries(730, 12_000), minutes * MINUTE);
	const row = { begun: 10 * MINUTE, off: 120 * MINUTE, pageSize: 100, maxEntries: 50 };
	expect(came(log, row)).toEqual(inOrder(log.length));
});

test.each<Record<number, 'fails' | 'tokenRefused'>>([{ 1: 'fails' }, { 0: 'tokenRefused' }])(
	'polls that get one answer each come to the end of a backlog dated a moment ahead: %j',
	(faults) => {
		const log = local(entries(1000, 2000), 1);
		const ticking = trigger(log, {}, BEGIN + 60 * MINUTE);
		ticking.settings = { ...SETTINGS, pageSize: 100 };
		let memory: ReadingMemory = {};
		for (let poll = 0; poll < 130; poll++) {
			({ memory } = ticking.poll({ faults, calls: 2 }, { memory }).reading);
			ticking.now += MINUTE;
		}
		expect(ticking.came).toEqual(inOrder(1000));
	},
);

test('a log whose entries are dated hours ahead comes once when the hours change before a backlog', () => {
	const log = entries(1800, 20_000);
	const summer = [...local(log.slice(0, 540), HOUR), ...local(log.slice(540), 2 * HOUR)];
	const row = {
		begun: 4 * HOUR,
		off: 5 * HOUR,
		pageSize: 50,
		faults: { 2: 'tokenRefused' as const },
	};
	expect(came(summer, row)).toEqual(inOrder(1800));
});

test('an entry at which a reading was to go on, and which was deleted, misleads it by little', () => {
	const log = entries(200, HOUR);
	const before = trigger(log, {}, BEGIN + 400 * HOUR);
	before.settings = { ...SETTINGS, pageSize: 10, maxEntries: 50 };
	before.poll();
	const after = trigger(log.toSpliced(49, 1), {}, before.now);
	Object.assign(after, { state: before.state, settings: before.settings });
	const { calls } = after.poll({ faults: { 0: 'tokenRefused' } });
	expect(calls.slice(0, 2).map(({ since }) => since)).toEqual([
		new Date(BEGIN + 49 * HOUR).toISOString(),
		new Date(BEGIN + 48 * HOUR).toISOString(),
	]);
	after.drain();
	// The one before it may come twice: it is not remembered any more.
	const came = [...before.came, ...after.came];
	expect([...new Set(came)]).toEqual(inOrder(200));
	expect(came.length).toBeLessThanOrEqual(201);
	expect(after.state.aheadMs).toBeUndefined();
});

test.each<Partial<PollPlan> & { maxEntries: number }>([
	{ maxEntries: 1 },
	{ maxEntries: 5 },
	{ maxEntries: 5, calls: 2 },
	{ maxEntries: 5, calls: 3, faults: { 1: 'tokenRefused' } },
	{ maxEntries: 5, faults: { 2: 'fails' } },
])(
	'an entry that is not listed any more is not taken for entries dated ahead: %j',
	({ maxEntries, ...plan }) => {
		const old = entries(120, MINUTE, -2 * HOUR, 'old');
		const stoppedAt = entries(maxEntries, 1, 0, 'gone');
		const later = entries(8, MINUTE, 2 * HOUR, 'later');
		const ticking = trigger([...old, ...stoppedAt], {}, BEGIN + MINUTE);
		ticking.drain();
		ticking.settings = { ...SETTINGS, maxEntries, pageSize: 10 };
		const state = { ...ticking.state, resume: { at: new Date(BEGIN).toISOString(), limit: 100 } };
		const next = trigger([...old, ...later], {}, BEGIN + 3 * HOUR);
		next.settings = ticking.settings;
		next.state = state;
		for (let poll = 0; poll < 30; poll++) {
			next.poll(plan);
			next.now += MINUTE;
		}
		expect(next.came).toEqual(inOrder(8, 'later'));
	},
);

test('a console that fails for what it may have skipped is asked for what follows, in every second poll', () => {
	const log = entries(9, MINUTE, 100 * HOUR, 'later');
	const ticking = trigger(log, {}, BEGIN + 110 * HOUR);
	ticking.state = { ...ticking.state, resume: { at: new Date(BEGIN).toISOString(), limit: 100 } };
	let memory: ReadingMemory = {};
	const begun: unknown[] = [];
	for (const fails of [false, true, false, false]) {
		const faults: PollPlan['faults'] = fails ? { 0: 'fails' } : {};
		const { reading, calls } = ticking.poll({ faults, calls: 1 }, { memory });
		({ memory } = reading);
		begun.push(fails ? 'failed' : calls[0].since?.slice(0, 10));
	}
	expect(begun).toEqual(['2026-03-01', 'failed', '2026-03-01', '2026-02-27']);
	expect(ticking.came).toEqual(inOrder(9, 'later'));
});

test('a log is read on where a console has nothing of what it may have skipped', () => {
	const log = entries(9, MINUTE, 100 * HOUR, 'later');
	const habits = { retention: 20 * HOUR, refusesGone: true };
	const ticking = trigger(log, habits, BEGIN + 110 * HOUR);
	const at = new Date(BEGIN + 93 * HOUR).toISOString();
	ticking.state = { ...ticking.state, resume: { at, limit: 100 } };
	let memory: ReadingMemory = {};
	for (let poll = 0; poll < 10; poll++, ticking.now += MINUTE) {
		({ memory } = ticking.poll({}, { memory }).reading);
	}
	expect(ticking.came).toEqual(inOrder(9, 'later'));
});

test('what may be dated ahead is at most what zones differ by', () => {
	const old = entries(100, HOUR, -100 * HOUR, 'old');
	const later = entries(2, MINUTE, 100 * HOUR, 'later');
	const next = trigger([...old, ...later], {}, BEGIN + 110 * HOUR);
	next.state = { ...next.state, resume: { at: new Date(BEGIN).toISOString(), limit: 100 } };
	const { calls } = next.poll();
	expect(calls[1].since).toBe(new Date(BEGIN - 26 * HOUR).toISOString());
});

test('of a console that cuts its larger pages, entries dated ahead are not taken for what came meanwhile', () => {
	const busy = entries(6000, 300).map((one) => ({
		...one,
		entry: { ...one.entry, createdAt: new Date(one.time + HOUR).toISOString().replace('Z', '') },
	}));
	const ticking = trigger(busy, { maxLimit: 500, overMax: 'capAsLast' }, BEGIN);
	for (let minute = 0; minute <= 31; minute++) {
		ticking.poll();
		ticking.now += MINUTE;
	}
	expect(ticking.came).toEqual(inOrder(6000));
});
