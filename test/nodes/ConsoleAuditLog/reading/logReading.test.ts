import { RETENTION_MS } from '../../../../services/console/auditLogEntry';
import { LogReading } from '../../../../nodes/ConsoleAuditLog/reading/logReading';
import { freshState } from '../../../../nodes/ConsoleAuditLog/reading/pollState';
import type { PollState } from '../../../../nodes/ConsoleAuditLog/reading/pollState';
import { BEGIN, entries, inOrder, MINUTE, trigger } from '../support/handPolledTrigger';
import { SCOPE, SETTINGS } from '../support/modelPoll';

describe('nothing is lost', () => {
	test('equal timestamps across pages and polls', () => {
		const ticking = trigger(entries(230, 0));
		ticking.settings = { ...SETTINGS, pageSize: 7, maxEntries: 50 };
		ticking.drain();
		expect(ticking.came).toEqual(inOrder(230));
	});

	test('an entry that appears late, but within the lookback', () => {
		const late = { ...entries(1, 0, 0, 'late')[0], appearsAt: BEGIN + 5 * MINUTE };
		const ticking = trigger([...entries(3, 1000), late], {}, BEGIN + 4 * MINUTE);
		expect(ticking.poll().delivered).toEqual(inOrder(3));
		ticking.now = BEGIN + 5 * MINUTE;
		expect(ticking.poll().delivered).toEqual(['late0']);
	});

	test('an entry that appears behind the place where a long poll reads', () => {
		const late = { ...entries(1, 0, 30_000, 'late')[0], appearsAt: BEGIN + 5 * MINUTE };
		const ticking = trigger([...entries(500, 600), late], {}, BEGIN + 4.8 * MINUTE);
		ticking.poll({ callMs: MINUTE });
		ticking.drain();
		expect(ticking.came.toSorted()).toEqual([...inOrder(500), 'late0'].toSorted());
	});

	test('entries behind one that is dated in the future', () => {
		const future = { ...entries(1, 0, 600 * MINUTE, 'future')[0], appearsAt: BEGIN };
		const ticking = trigger([...entries(300, 20_000), future], {}, BEGIN);
		ticking.poll();
		expect(ticking.came).toEqual(['e0', 'future0']);
		ticking.now = BEGIN + 120 * MINUTE;
		// Time for one page each: the backlog takes several polls.
		ticking.settings = { ...SETTINGS, pageSize: 30 };
		ticking.drain({ calls: 1 });
		expect(ticking.came.toSorted()).toEqual([...inOrder(300), 'future0'].toSorted());
	});

	test('when n8n goes back to an older state', () => {
		const ticking = trigger(entries(40, MINUTE), {}, BEGIN + 10 * MINUTE);
		ticking.poll();
		const old = ticking.state;
		ticking.now = BEGIN + 20 * MINUTE;
		ticking.poll();
		ticking.state = old;
		ticking.came.length = 0;
		ticking.now = BEGIN + 60 * MINUTE;
		ticking.drain();
		expect(ticking.came).toEqual(inOrder(40).slice(11));
	});

	test('when a page token is refused, at once or later', () => {
		const ticking = trigger(entries(900, 1000));
		ticking.settings = { ...SETTINGS, pageSize: 50, maxEntries: 100 };
		ticking.poll();
		expect(ticking.state.resume?.token).toBeDefined();
		for (let poll = 0; poll < 8; poll++) {
			ticking.poll({ faults: { 0: 'tokenRefused', 2: 'tokenRefused' } });
		}
		ticking.drain();
		expect(ticking.came).toEqual(inOrder(900));
	});

	test('when the page tokens lead in a circle', () => {
		const ticking = trigger(entries(1000, 1000), { loopAfter: 3 });
		ticking.settings = { ...SETTINGS, pageSize: 40 };
		ticking.drain();
		expect(ticking.came).toEqual(inOrder(1000));
	});

	test('when each poll has time for one page, and all entries bear one time', () => {
		const ticking = trigger(entries(450, 0));
		ticking.drain({ calls: 1 });
		expect(ticking.came).toEqual(inOrder(450));
	});

	test('when a console does not keep the order: what was not read yet may be older', () => {
		const at = (minute: number) => entries(1, 0, minute * MINUTE, `at${minute}-`)[0].entry;
		const before = { ...freshState(SCOPE), from: new Date(BEGIN).toISOString() };
		const reading = new LogReading(before, SETTINGS, { now: BEGIN });
		reading.take({ items: [at(30), at(1)], nextPageToken: 'next' }, BEGIN + 60 * MINUTE);
		expect(reading.state.from).toBe(before.from);
		const inOrderReading = new LogReading(before, SETTINGS, { now: BEGIN });
		inOrderReading.take({ items: [at(1), at(30)], nextPageToken: 'next' }, BEGIN + 60 * MINUTE);
		expect(inOrderReading.state.from).toBe(new Date(BEGIN + 25 * MINUTE).toISOString());
	});

	test('when a poll has no time at all', () => {
		const ticking = trigger(entries(3, 1000));
		ticking.poll();
		expect(new LogReading(ticking.state, SETTINGS, { now: BEGIN }).state).toEqual(ticking.state);
	});

	test('when oldest entries go during a drain', () => {
		const retention = 60 * MINUTE;
		const ticking = trigger(entries(3600, 1000), { retention }, BEGIN + 60 * MINUTE);
		ticking.settings = { ...SETTINGS, maxEntries: 300 };
		ticking.drain();
		const kept = ticking.log.visibleAt(BEGIN + 60 * MINUTE).length;
		expect(new Set(ticking.came).size).toBe(ticking.came.length);
		expect(ticking.came.length).toBe(kept);
	});

	test('when settings change between polls', () => {
		const ticking = trigger(entries(700, 1000));
		const changes = [
			{ pageSize: 30, maxEntries: 90 },
			{ pageSize: 20, maxEntries: 90 },
			{ maxEntries: 10 },
			{ pageSize: 200, maxEntries: 100, lookbackMs: 0 },
			{ maxEntries: 500, lookbackMs: 60 * MINUTE },
		];
		for (const change of changes) {
			ticking.settings = { ...SETTINGS, ...change };
			ticking.poll();
		}
		ticking.drain();
		expect(ticking.came).toEqual(inOrder(700));
	});
});

describe('a failure in the middle', () => {
	test('pages that were read completely are handed over, and the state moves exactly that far', () => {
		const ticking = trigger(entries(90, 1000));
		ticking.settings = { ...SETTINGS, pageSize: 20 };
		const { delivered, failed } = ticking.poll({
			faults: { 2: 'fails', 3: 'fails', 4: 'fails', 5: 'fails' },
		});
		expect(failed).toBe(true);
		expect(delivered).toEqual(inOrder(40));
		expect(ticking.state.since).toBe(new Date(BEGIN + 39_000).toISOString());
		expect(ticking.state.resume).toMatchObject({ at: ticking.state.since });
		ticking.poll();
		expect(ticking.came).toEqual(inOrder(90));
	});

	test('a failing larger page is given up, and remembered only if the smaller one then works', () => {
		const ticking = trigger(entries(400, 1000));
		ticking.poll({ faults: { 1: 'fails', 2: 'fails', 3: 'fails', 4: 'fails', 5: 'fails' } });
		expect(ticking.state.pageSize).toEqual({ size: 100 });
		ticking.poll({ faults: { 1: 'fails' } });
		expect(ticking.state.pageSize).toMatchObject({ size: 100, failed: 1000 });
		ticking.drain();
		expect(ticking.came).toEqual(inOrder(400));
	});
});

describe('a poll is cheap and ends', () => {
	test.each([
		['null', 1],
		['token', 2],
	] as const)('end of log %s, nothing new: %i request(s)', (end, requests) => {
		const ticking = trigger(entries(90, 1000), { end }, BEGIN + 90_000);
		ticking.drain();
		expect(ticking.poll().calls).toHaveLength(requests);
	});

	test('a lookback of several pages takes its pages', () => {
		const ticking = trigger(entries(2400, 100), {}, BEGIN + 4 * MINUTE);
		ticking.drain();
		expect(ticking.poll().calls.length).toBeLessThanOrEqual(3);
	});

	test('where no entry has a time, what was read long ago is not read again', () => {
		const undated = entries(300, 1000).map((one) => ({
			...one,
			entry: { auditlogId: one.entry.auditlogId },
		}));
		const ticking = trigger(undated);
		ticking.settings = { ...SETTINGS, pageSize: 100 };
		ticking.drain();
		ticking.now += 10 * MINUTE;
		const { calls } = ticking.poll();
		expect(calls).toHaveLength(1);
		expect(Date.parse(calls[0].since ?? '')).toBeGreaterThan(BEGIN + 50 * MINUTE);
	});

	test('an endless circle of tokens ends, and says so when nothing new comes of it', () => {
		const ticking = trigger(entries(500, 0), { loopAfter: 2 });
		ticking.settings = { ...SETTINGS, pageSize: 10 };
		const first = ticking.poll();
		expect(first.delivered).toHaveLength(20);
		const second = ticking.poll();
		expect(second.failed).toBe(true);
		expect(second.calls.length).toBeLessThan(10);
	});

	test('a circle repeats nothing that has no id', () => {
		const unnamed = entries(60, 1000).map((one) => ({
			...one,
			entry: { createdAt: one.entry.createdAt, auditlogId: undefined, x: 1 },
		}));
		const ticking = trigger(unnamed, { loopAfter: 3 });
		ticking.settings = { ...SETTINGS, pageSize: 10 };
		ticking.drain();
		expect(ticking.came).toHaveLength(60);
	});
});

test('what stands behind a token of an earlier poll, and tells no time, does not count as of now', () => {
	const at = new Date(BEGIN + MINUTE).toISOString();
	const resume = { at, token: 'of a snapshot', since: at, limit: 100 };
	const before = { ...freshState(SCOPE, BEGIN + MINUTE), resume };
	const reading = new LogReading(before, SETTINGS, { now: BEGIN + 60 * MINUTE });
	reading.take({ items: [{ auditlogId: 'undated' }] }, BEGIN + 60 * MINUTE);
	expect(reading.newEntries).toHaveLength(1);
	expect(reading.state.since).toBe(before.since);
});

describe('the retention', () => {
	test('is told once, also when nothing new comes', () => {
		const ticking = trigger([], {}, BEGIN + RETENTION_MS + 60 * MINUTE);
		const old: PollState = { ...freshState(SCOPE, BEGIN), seen: [] };
		const first = new LogReading(old, SETTINGS, { now: BEGIN });
		first.take({ items: [] }, ticking.now);
		expect(first.missedRetention).toBe(true);
		const second = new LogReading(first.state, SETTINGS, { now: BEGIN });
		second.take({ items: [] }, ticking.now);
		expect(second.missedRetention).toBe(false);
	});

	test.each([
		['refused', [MINUTE, 60 * MINUTE]],
		['tokenOrSize', [MINUTE]],
		['tooLong', [MINUTE]],
		['token', []],
	] as const)('is where it goes on if a call for what is gone fails: %s, %p', (failure, after) => {
		const now = BEGIN + 2 * RETENTION_MS;
		const reading = new LogReading(freshState(SCOPE, BEGIN), SETTINGS, { now });
		const asked: number[] = [];
		do asked.push(Date.parse(reading.nextCall!.since!) - (now - RETENTION_MS));
		while (reading.failed(failure));
		expect([...new Set(asked)].slice(1)).toEqual(after);
		expect(asked.length).toBeLessThan(15);
	});

	test.each([
		['tokenOrSize', 2 * MINUTE, []],
		['tokenOrSize', -MINUTE, [MINUTE]],
		['refused', 2 * MINUTE, [60 * MINUTE]],
	] as const)(
		'costs nothing that is kept where an outage passes: %s, %d ms after its edge',
		(failure, after, expected) => {
			const now = BEGIN + RETENTION_MS - after;
			const reading = new LogReading(freshState(SCOPE, BEGIN), SETTINGS, { now });
			const begin = reading.nextCall?.since;
			const elsewhere: number[] = [];
			while (reading.nextCall?.since === begin && reading.failed(failure));
			const { since } = reading.nextCall!;
			if (since !== begin) elsewhere.push(Date.parse(since!) - (now - RETENTION_MS));
			expect(elsewhere).toEqual(expected);
		},
	);

	test('is where it goes on if the console refuses to look for what is gone', () => {
		const habits = { retention: RETENTION_MS, refusesGone: true };
		const log = [...entries(10, 1000), ...entries(10, 1000, RETENTION_MS + 24 * 60 * MINUTE, 'n')];
		const ticking = trigger(log, habits);
		ticking.drain();
		expect(ticking.came).toEqual(inOrder(10));
		ticking.now = BEGIN + RETENTION_MS + 36 * 60 * MINUTE;
		const { calls, failed } = ticking.poll();
		// Only once a smaller page is refused, too: what the console still has must not be left out.
		expect(calls.map(({ limit }) => limit)).toEqual([100, 10, 1, 100]);
		expect(failed).toBe(false);
		expect(ticking.came.slice(10)).toEqual(inOrder(10, 'n'));
		expect(ticking.poll().calls).toHaveLength(1);
	});

	test('is not left out for a page that fails, or is too large, where the console keeps entries longer', () => {
		const habits = { maxLimit: 500, overMax: 'refuse' } as const;
		const ticking = trigger(entries(1500, 1000), habits, BEGIN + RETENTION_MS + 30 * MINUTE);
		ticking.poll({ faults: { 1: 'fails' } });
		ticking.drain();
		expect(ticking.came).toEqual(inOrder(1500));
	});

	test('is no news while the oldest entries of a full log are read', () => {
		const ticking = trigger(entries(400, 100), {}, BEGIN + RETENTION_MS);
		ticking.settings = { ...SETTINGS, maxEntries: 100, pageSize: 50 };
		ticking.poll();
		const reading = new LogReading(ticking.state, ticking.settings, { now: BEGIN });
		reading.take({ items: [] }, BEGIN + RETENTION_MS);
		expect(reading.missedRetention).toBe(false);
	});
});

describe('the most entries of one poll', () => {
	test('are no more than the user said, in whole pages', () => {
		const ticking = trigger(entries(50, 100), {}, BEGIN + MINUTE);
		ticking.settings = { ...SETTINGS, pageSize: 20, maxEntries: 30 };
		expect(ticking.poll().delivered).toEqual(inOrder(50).slice(0, 20));
		expect(ticking.poll().delivered).toEqual(inOrder(50).slice(20, 40));
		expect(ticking.poll().delivered).toEqual(inOrder(50).slice(40));
	});

	test('end where the user of the reading wants it, and the others come later', () => {
		const ticking = trigger(entries(50, 1000), {}, BEGIN + 60 * MINUTE);
		ticking.settings = { ...SETTINGS, pageSize: 20, until: BEGIN + 24_000 };
		const { reading } = ticking.poll();
		expect(reading.reachedEnd).toBe(false);
		expect(ticking.came).toEqual(inOrder(25));
		ticking.settings = SETTINGS;
		ticking.drain();
		expect(ticking.came).toEqual(inOrder(50));
	});

	test('may be fewer than share a moment, though no token lives until the next poll', () => {
		const ticking = trigger(entries(300, 0));
		ticking.settings = { ...SETTINGS, pageSize: 100, maxEntries: 50 };
		for (let poll = 0; poll < 20; poll++) {
			const { token } = ticking.state.resume ?? {};
			ticking.poll({ faults: token === undefined ? {} : { 0: 'tokenRefused' } });
			ticking.now += MINUTE;
		}
		expect(ticking.came).toEqual(inOrder(300));
	});
});
