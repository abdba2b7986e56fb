import { BEGIN, entries, inOrder, MINUTE, Trigger, trigger } from '../support/handPolledTrigger';
import { readingFrom } from '../../../../nodes/ConsoleAuditLog/reading/logReading';
import { digestOf } from '../../../../services/digestOf';
import { ModelLog, PLAIN_HABITS } from '../support/modelLog';
import type { ServiceHabits } from '../support/modelLog';
import { SETTINGS } from '../support/modelPoll';

describe('a backlog', () => {
	test('drains over polls behind the token, which repeats limit and since', () => {
		const ticking = trigger(entries(5000, 500), {}, BEGIN + 24 * 60 * MINUTE);
		ticking.settings = { ...SETTINGS, pageSize: 100, maxEntries: 1000 };
		ticking.poll();
		const { token } = ticking.state.resume ?? {};
		const { calls } = ticking.poll();
		expect(calls).toHaveLength(10);
		expect(calls[0]).toEqual({ since: undefined, limit: 100, pageToken: token });
		expect(ticking.drain()).toBeLessThanOrEqual(6);
		expect(ticking.came).toEqual(inOrder(5000));
	});

	test('grows the pages on calls without a token, and keeps the size that the user set', () => {
		const growing = trigger(entries(20_000, 100), {}, BEGIN + 24 * 60 * MINUTE);
		const { calls } = growing.poll();
		expect(calls.map(({ limit }) => limit)).toEqual([100, 1000, 5000, 5000]);
		expect(calls.slice(0, 3).every(({ pageToken }) => pageToken === undefined)).toBe(true);
		expect(growing.poll().calls.map(({ limit }) => limit)).toEqual([5000, 5000]);
		const kept = trigger(entries(2000, 100), {}, BEGIN + 24 * 60 * MINUTE);
		kept.settings = { ...SETTINGS, pageSize: 500 };
		expect(new Set(kept.poll().calls.map(({ limit }) => limit))).toEqual(new Set([500]));
	});

	test('falls back at once from a size that is refused, and does not ask for it again', () => {
		const ticking = trigger(entries(8000, 100), { maxLimit: 1000 }, BEGIN + 24 * 60 * MINUTE);
		ticking.settings = { ...SETTINGS, maxEntries: 6100 };
		const first = ticking.poll().calls.map(({ limit }) => limit);
		expect(first.slice(0, 4)).toEqual([100, 1000, 5000, 1000]);
		expect(ticking.state.pageSize).toMatchObject({ size: 1000, failed: 5000 });
		expect(ticking.poll().calls.map(({ limit }) => limit)).toEqual([1000, 1000, 100]);
		ticking.drain();
		expect(ticking.came).toEqual(inOrder(8000));
	});

	test('comes from a service that delivers less than it is asked for', () => {
		const habits = { maxLimit: 400, overMax: 'cap' } as const;
		const ticking = trigger(entries(8000, 100), habits, BEGIN + 24 * 60 * MINUTE);
		ticking.drain();
		expect(ticking.came).toEqual(inOrder(8000));
	});

	test.each([
		['empty', 1000, { failed: 5000 }],
		['empty', 100, { failed: 1000 }],
		['capAsLast', 1000, { failed: 5000 }],
		['capAsLast', 2500, { failed: 5000 }],
		['capAsLast', 100, { failed: 1000 }],
		['fewAsLast', 500, { failed: 1000 }],
	] as const)(
		'comes whole from a service whose larger pages are %s, of %i at most, and may leave %j',
		(overMax, maxLimit, learned) => {
			const log = new ModelLog(entries(6000, 100), { ...PLAIN_HABITS, maxLimit, overMax });
			const trigger = new Trigger(log, BEGIN + 20 * MINUTE);
			trigger.drain();
			expect(trigger.came).toHaveLength(6000);
			expect(trigger.state.pageSize).toMatchObject(learned);
		},
	);

	test.each([
		[100, 60],
		[250, 150],
		[1000, 600],
	])('is none where pages of %i end the log, and %i entries come a minute', (maxLimit, rate) => {
		const gap = MINUTE / rate;
		const habits = { ...PLAIN_HABITS, maxLimit, overMax: 'capAsLast' } as const;
		const log = new ModelLog(entries(90 * rate, gap), habits);
		const trigger = new Trigger(log, BEGIN);
		for (let minute = 0; minute <= 90; minute++) {
			trigger.poll();
			trigger.now += MINUTE;
		}
		expect(trigger.came).toEqual(inOrder(90 * rate));
	});

	test.each([
		['empty', {}],
		['empty', { lookbackMs: 0 }],
		['empty', { pageSize: 1000 }],
		['capAsLast', {}],
		['fewAsLast', {}],
		['fewAsLast', { pageSize: 1000 }],
	] as const)(
		'is none where a console no longer answers its largest pages, which then are %s: %j',
		(overMax, settings) => {
			const habits: ServiceHabits = { ...PLAIN_HABITS, overMax };
			const trigger = new Trigger(new ModelLog(entries(18_000, 100), habits), BEGIN);
			trigger.settings = { ...SETTINGS, ...settings };
			for (let minute = 0; minute <= 30; minute++) {
				if (minute === 10) habits.maxLimit = 100;
				trigger.poll();
				trigger.now += MINUTE;
			}
			expect(trigger.came).toEqual(inOrder(18_000));
		},
	);

	test.each([undefined, 1000])(
		'is looked for until the log is quiet, with pages of %s, and then each poll is one call',
		(pageSize) => {
			const busy = entries(4000, 100);
			const quiet = entries(30, 20_000, 10 * MINUTE, 'q');
			const trigger = new Trigger(new ModelLog([...busy, ...quiet]), BEGIN + 20 * MINUTE);
			trigger.settings = { ...SETTINGS, pageSize };
			trigger.drain();
			expect(trigger.came).toHaveLength(4030);
			for (let poll = 0; poll < 3; poll++) {
				expect(trigger.poll().calls.map(({ limit }) => limit)).toEqual([100]);
			}
		},
	);

	test('that ends in a larger page costs one call more', () => {
		const trigger = new Trigger(new ModelLog(entries(4000, 100)), BEGIN + 20 * MINUTE);
		const { delivered, calls } = trigger.poll();
		expect(delivered).toHaveLength(4000);
		expect(calls.map(({ limit }) => limit)).toEqual([100, 1000, 5000, 100]);
		expect(trigger.state.pageSize).toEqual({ size: 5000 });
		for (let poll = 0; poll < 3; poll++) expect(trigger.poll().calls).toHaveLength(2);
	});

	test('goes on where it was, not the lookback before, when tokens do not outlive a poll', () => {
		const ticking = trigger(entries(4000, 250), {}, BEGIN + 24 * 60 * MINUTE);
		ticking.settings = { ...SETTINGS, pageSize: 100 };
		ticking.poll({ calls: 20 });
		for (let poll = 0; poll < 25; poll++) {
			ticking.poll({ calls: 5, faults: { 0: 'tokenRefused' } });
		}
		expect(ticking.came).toEqual(inOrder(4000));
	});

	test('goes on where it was, too, when a token has cost the poll before all of its time', () => {
		const ticking = trigger(entries(4000, 250), {}, BEGIN + 24 * 60 * MINUTE);
		ticking.settings = { ...SETTINGS, pageSize: 100 };
		ticking.poll({ calls: 20 });
		const { at, token } = ticking.state.resume!;
		const memory = { token: { refused: digestOf(token!), failures: 0 } };
		const next = readingFrom(ticking.state, ticking.settings, { now: ticking.now, memory });
		expect(next.nextCall).toEqual({ since: at, limit: 100 });
	});

	test('comes whole and once where two hosts write it, and tokens do not outlive a poll', () => {
		const log = entries(45_000, 1000);
		for (let at = 12_500; at < log.length; at += 9001) {
			const [one, other] = [log[at].entry, log[at + 3].entry];
			[one.createdAt, other.createdAt] = [other.createdAt, one.createdAt];
		}
		const ticking = trigger(log, {}, BEGIN + 48 * 60 * MINUTE);
		for (let poll = 0; poll < 12; poll++) ticking.poll({ faults: { 0: 'tokenRefused' } });
		expect(ticking.came).toHaveLength(45_000);
		expect(new Set(ticking.came).size).toBe(45_000);
	});

	test('keeps up with a service whose pages are shorter than asked for', () => {
		const habits = { maxLimit: 100, overMax: 'cap' } as const;
		const ticking = trigger(entries(20_000, MINUTE / 900), habits, BEGIN);
		ticking.settings = { ...SETTINGS, maxEntries: 1000 };
		for (let minute = 0; minute < 10; minute++) {
			ticking.now += MINUTE;
			ticking.poll();
		}
		expect(ticking.came.length).toBeGreaterThan(8900);
	});

	test('leaves the token near the end of the log, where late entries may appear behind it', () => {
		const ticking = trigger(entries(300, 1000), {}, BEGIN + 5 * MINUTE);
		ticking.settings = { ...SETTINGS, pageSize: 100, maxEntries: 100 };
		expect(ticking.poll().calls).toHaveLength(1);
		expect(ticking.state.resume).toBeUndefined();
		expect(ticking.poll().calls[0].pageToken).toBeUndefined();
	});

	test('goes on in a window of known entries that takes longer than a poll', () => {
		const ticking = trigger(entries(400, 500), {}, BEGIN + 4 * MINUTE);
		ticking.settings = { ...SETTINGS, pageSize: 20 };
		ticking.poll();
		ticking.drain({ calls: 3 });
		const later = new Trigger(
			new ModelLog([...entries(400, 500), ...entries(5, 0, 4.5 * MINUTE, 'new')]),
			BEGIN + 5 * MINUTE,
		);
		later.state = ticking.state;
		later.settings = ticking.settings;
		for (let poll = 0; poll < 8; poll++) later.poll({ calls: 3 });
		expect(later.came).toEqual(inOrder(5, 'new'));
	});
});
