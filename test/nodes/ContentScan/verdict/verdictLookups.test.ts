import { earliestDue } from '../../../../nodes/ContentScan/verdict/verdictLookups';
import type { WaitOutcome } from '../../../../nodes/ContentScan/verdict/waitingScan';
import { listBudget } from '../../../../services/scanning/listBudget';
import { Refusal } from '../support/fakeService';
import { macrotask } from '../../../support/macrotask.cts';
import {
	askedAt,
	finished,
	list,
	outcomesOf,
	running,
	SECOND,
	setUp,
	START,
} from '../support/fakeList';

describe('waiting for a verdict', () => {
	it('ends when the scan has finished', async () => {
		const { clock, wait, service } = setUp((_, now) =>
			list(now < START + 20 * SECOND ? running(1) : finished(1, 'MAL')),
		);
		const [outcome] = await outcomesOf([wait('1')], clock);
		expect(outcome).toMatchObject({
			value: { finished: true, record: { id: 1, verbose_verdict: 'MAL' } },
		});
		expect(service.sent[0].call).toMatchObject({
			method: 'GET',
			path: '/api/v1/scans/list/',
			query: { start: START / SECOND, limit: 100 },
		});
	});

	it('goes on where the verdict comes a quarter of a minute after the end', async () => {
		const { clock, wait } = setUp((_, now) =>
			list(finished(1, now < START + 15 * SECOND ? '' : 'MAL')),
		);
		const [outcome] = await outcomesOf([wait('1')], clock);
		expect(outcome).toMatchObject({ value: { record: { verbose_verdict: 'MAL' } } });
	});

	it('is looked up again after growing intervals, up to 30 seconds', async () => {
		const { reply, seconds } = askedAt(() => list(running(1)));
		const { clock, wait } = setUp(reply);
		await outcomesOf([wait('1', 200)], clock);
		const gaps = seconds.map((at, index) => at - (seconds[index - 1] ?? 0));
		expect(gaps[0]).toBe(2);
		expect(gaps.slice(2, -1).every((gap, index) => gap >= gaps[index + 1])).toBe(true);
		expect(Math.max(...gaps)).toBe(30);
		expect(seconds.at(-1)).toBe(200);
	});

	it('lets no lookup outlast the last wait by more than a tenth', async () => {
		const { clock, wait, service } = setUp(() => list(finished(1), finished(2)));
		await outcomesOf([wait('1', 20), wait('2', 60)], clock);
		expect(service.sent[0].context.deadline).toBeLessThan(START + 66 * SECOND);
		expect(service.sent[0].context.deadline).toBeGreaterThan(START + 65 * SECOND);
		// Long uploads, which hold most of what a minute allows, leave it two calls.
		expect(service.sent[0].context.isUrgent).toBe(true);
	});

	it('gives a list that is silent twice as long at each lookup, while it is slow', async () => {
		const { reply, seconds } = askedAt(async (sent, now) => {
			const takes = (now < START + 600 * SECOND ? 50 : 1) * SECOND;
			const given = sent.context.answerWithinMs!;
			await clock.sleep(Math.min(takes, given));
			return takes > given ? new Refusal(NaN, 'noAnswer') : list(running(1));
		});
		const { clock, wait, service } = setUp(reply);
		await outcomesOf([wait('1', 900, { listTo: START })], clock);
		const given = service.sent.map(({ context }) => context.answerWithinMs! / SECOND);
		expect(given.slice(0, 4)).toEqual([20, 40, 80, 80]);
		expect(given.slice(3).filter((_, call) => seconds[call + 3] < 300)).not.toContain(20);
		const quick = seconds.findIndex((second) => second >= 600);
		expect(new Set(given.slice(quick + 1))).toEqual(new Set([20]));
	});

	it('gives the list its usual time again for the next who waits', async () => {
		const { clock, wait, service } = setUp(() => new Refusal(NaN, 'noAnswer'));
		await outcomesOf([wait('1', 60)], clock);
		const { length } = service.sent;
		await outcomesOf([wait('2', 60)], clock);
		expect(service.sent[length].context.answerWithinMs).toBe(20 * SECOND);
	});

	it('answers for many scans with one call', async () => {
		const ids = Array.from({ length: 50 }, (_, index) => String(index));
		const { clock, wait, service } = setUp(() => list(...ids.map((id) => finished(id))));
		const outcomes = await outcomesOf(
			ids.map(async (id) => await wait(id)),
			clock,
		);
		expect(outcomes.every(({ status }) => status === 'fulfilled')).toBe(true);
		expect(service.sent).toHaveLength(1);
	});

	it.each([
		['the short id', { id: 77 }],
		['the short id as text', { id: '77' }],
		['the long id', { id: 1, full_scan_id: '77' }],
	])('finds a scan by %s', async (_, ids) => {
		const { clock, wait } = setUp(() => list({ ...finished(0), ...ids }));
		const [outcome] = await outcomesOf([wait('77')], clock);
		expect(outcome).toMatchObject({ value: { finished: true } });
	});

	it('finds a scan that began and finished between two lookups', async () => {
		const { clock, wait } = setUp((_, now) =>
			now < START + 3 * SECOND ? list() : list(finished(1)),
		);
		const [outcome] = await outcomesOf([wait('1')], clock);
		expect(outcome).toMatchObject({ value: { finished: true } });
	});

	it('takes two scans of the same id as one', async () => {
		const { clock, wait } = setUp(() => list(finished(1)));
		const outcomes = await outcomesOf([wait('1'), wait('1')], clock);
		expect(outcomes).toMatchObject([{ value: { finished: true } }, { value: { finished: true } }]);
	});
});

describe('a scan that does not finish', () => {
	it('is pending when its time is over, with the record that was last seen', async () => {
		const { clock, wait } = setUp(() => list(running(1)));
		const [outcome] = await outcomesOf([wait('1', 60)], clock);
		expect(outcome).toMatchObject({ value: { finished: false, record: { id: 1 } } });
		expect(outcome).toMatchObject({ value: { issue: {} } });
		expect(clock.now()).toBe(START + 60 * SECOND);
	});

	it('is pending in time, though the license allows no lookup for minutes', async () => {
		const { reply, seconds } = askedAt(() => list(running(1)));
		const { clock, wait } = setUp(reply, 1);
		const long = wait('2', 600);
		let told = 0;
		void wait('1', 60).then(() => (told = clock.now()));
		await outcomesOf([long], clock);
		expect(seconds.slice(0, 2)).toEqual([2, 302]);
		expect(told).toBe(START + 66 * SECOND);
	});

	it('is looked up, though other waits have used up all that the license allows for the list', async () => {
		const { reply, seconds } = askedAt(() => list(finished(1)));
		const { clock, wait, another } = setUp(reply);
		const { scans } = another();
		const budget = listBudget(scans, 'wait', clock);
		for (let call = 0; call < 100; call++) budget.spend();
		const [outcome] = await outcomesOf([wait('1', 120)], clock);
		expect(outcome).toMatchObject({ value: { finished: true } });
		expect(seconds).toEqual([62]);
	});

	it('says so when the license allowed no lookup within a short wait', async () => {
		const { clock, wait } = setUp(() => list(running(1), finished(2)));
		const long = wait('1', 60);
		await clock.advance(2.1 * SECOND);
		const [, outcome] = await outcomesOf([long, wait('2', 1)], clock);
		expect(outcome).toMatchObject({ value: { finished: false, issue: { unread: true } } });
	});

	it('says so when no entry of the list was ever it', async () => {
		const { clock, wait } = setUp(() => list(finished(2)));
		const [outcome] = await outcomesOf([wait('1', 50)], clock);
		expect(outcome).toMatchObject({
			value: { finished: false, record: undefined, issue: { unseen: 'nothing' } },
		});
	});

	it.each([1, 5])('ends after about %d seconds, though the service hangs', async (seconds) => {
		const { clock, wait } = setUp(async () => await new Promise(() => {}));
		const [outcome] = await outcomesOf([wait('1', seconds)], clock);
		expect(outcome).toMatchObject({ value: { finished: false } });
		expect(clock.now()).toBeLessThanOrEqual(START + (seconds + 1) * SECOND);
	});

	it('may be one of 200,000', () => {
		expect(earliestDue(Array.from({ length: 200_000 }, (_, due) => ({ due })))).toBe(0);
	});

	it('does not keep a scan that finishes from being told', async () => {
		const { clock, wait } = setUp(() => list(running(1), finished(2)));
		const slow = wait('1', 250);
		let told = 0;
		void wait('2', 250).then(() => (told = clock.now()));
		await outcomesOf([slow], clock);
		expect(told).toBe(START + 2 * SECOND);
	});
});

describe('scans that join while others wait', () => {
	it('are looked up as soon as their own first interval is over', async () => {
		const { reply, seconds } = askedAt(() => list(running(1), running(2)));
		const { clock, wait } = setUp(reply);
		const first = wait('1', 100);
		await clock.advance(60 * SECOND);
		const before = seconds.length;
		const waits = outcomesOf([first, wait('2', 100)], clock);
		await macrotask();
		await waits;
		expect(seconds[before]).toBe(62);
	});

	it('do not make the lookups more frequent than their share of the license', async () => {
		const { clock, wait, service } = setUp(() => list());
		const waits: Array<Promise<WaitOutcome>> = [];
		for (let second = 0; second < 120; second++) {
			waits.push(wait(`n${second}`, 30));
			await clock.advance(SECOND);
		}
		await outcomesOf(waits, clock);
		expect(service.sent.length).toBeLessThanOrEqual((150 / 60) * 20 + 1);
	});
});

describe('many executions with one token', () => {
	it('share their lookups: twenty a minute, one scan each, stay within a fifth of the license', async () => {
		const submittedAt = new Map<string, number>();
		const { clock, wait, another, service } = setUp((_, now) =>
			list(
				...[...submittedAt].map(([id, at]) =>
					now - at > 20 * SECOND ? finished(id) : running(id),
				),
			),
		);
		const waits: Array<Promise<WaitOutcome>> = [];
		for (let execution = 0; execution < 100; execution++) {
			submittedAt.set(String(execution), clock.now());
			waits.push(wait(String(execution), 300, another()));
			await clock.advance(3 * SECOND);
		}
		const outcomes = await outcomesOf(waits, clock);
		expect(outcomes.every((one) => one.status === 'fulfilled' && one.value.finished)).toBe(true);
		expect(service.sent.length).toBeLessThanOrEqual((20 * (clock.now() - START)) / 60_000 + 1);
	});

	it('go on when the one that asked is canceled', async () => {
		const stop = new AbortController();
		const { clock, wait, another } = setUp((_, now) =>
			list(now < START + 30 * SECOND ? running(2) : finished(2)),
		);
		const leading = wait('1', 900, { signal: stop.signal }).catch(() => 'ended');
		const other = wait('2', 300, another());
		await clock.advance(5 * SECOND);
		stop.abort();
		expect(await outcomesOf([other], clock)).toMatchObject([{ value: { finished: true } }]);
		expect(await leading).toBe('ended');
	});

	it('are made for all, and end with no single item', async () => {
		const { clock, wait, service, another } = setUp(() => list(finished(1), finished(2)));
		await outcomesOf([wait('1', 300), wait('2', 25, another())], clock);
		const [{ context }] = service.sent;
		expect(context.itemIndex).toBeUndefined();
		expect(context.deadline).toBe(START + 2 * SECOND + 120 * SECOND);
	});
});
