import { earliestDue } from '../../../../nodes/ContentScan/verdict/verdictLookups';
import type { WaitOutcome } from '../../../../nodes/ContentScan/verdict/waitingScan';
import { Refusal } from '../support/fakeService';
import type { Sent } from '../support/fakeService';
import { macrotask } from '../support/macrotask.cts';
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
		expect(service.sent[0].context.deadline).toBe(START + 66 * SECOND);
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

describe('a list that cannot be read', () => {
	it('ends the wait at once when the token is refused', async () => {
		const { clock, wait, service } = setUp(() => new Refusal(401));
		const outcomes = await outcomesOf([wait('1'), wait('2')], clock);
		expect(outcomes).toMatchObject([
			{ reason: { httpCode: '401' } },
			{ reason: { httpCode: '401' } },
		]);
		expect(service.sent).toHaveLength(1);
	});

	it.each([500, 503, 429, 408])('is tried again after a %d', async (status) => {
		let calls = 0;
		const { clock, wait } = setUp(() => (++calls < 3 ? new Refusal(status) : list(finished(1))));
		const [outcome] = await outcomesOf([wait('1')], clock);
		expect(outcome).toMatchObject({ value: { finished: true } });
	});

	it('is read again until the time is over', async () => {
		const { clock, wait } = setUp(() => new Refusal(500));
		const [outcome] = await outcomesOf([wait('1')], clock);
		expect(outcome).toMatchObject({
			value: { finished: false, issue: { failure: expect.stringContaining('(500)') } },
		});
		expect(clock.now()).toBe(START + 300 * SECOND);
	});

	it('because a token is refused ends the waits of its execution; others ask for themselves', async () => {
		let refused = 0;
		const { clock, wait, another } = setUp(() =>
			refused++ === 0 ? new Refusal(401) : list(finished(2)),
		);
		const outcomes = await outcomesOf([wait('1', 301), wait('2', 300, another())], clock);
		expect(outcomes).toMatchObject([
			{ reason: { httpCode: '401' } },
			{ value: { finished: true } },
		]);
	});

	it('may fail now and then for as long as it is read in between', async () => {
		let calls = 0;
		const { clock, wait } = setUp(() =>
			++calls < 40 ? (calls % 4 ? new Refusal(500) : list(running(1))) : list(finished(1)),
		);
		const [outcome] = await outcomesOf([wait('1', 3600)], clock);
		expect(outcome).toMatchObject({ value: { finished: true } });
	});

	it('says so when the time is over before it could be read', async () => {
		const { clock, wait } = setUp(() => new Refusal(503));
		const [outcome] = await outcomesOf([wait('1', 2)], clock);
		expect(outcome).toMatchObject({
			value: { finished: false, issue: { failure: expect.stringContaining('(503)') } },
		});
	});

	it('is an error when it is no list', async () => {
		const { clock, wait } = setUp(() => ({ detail: 'what?' }));
		const [outcome] = await outcomesOf([wait('1')], clock);
		expect(outcome).toMatchObject({
			reason: { message: expect.stringContaining("list 'results'") },
		});
	});
});

describe('a wait that is ended early', () => {
	it('stops, while the others go on', async () => {
		const stop = new AbortController();
		const { clock, wait } = setUp((_, now) =>
			list(running(1), now < START + 30 * SECOND ? running(2) : finished(2)),
		);
		const ended = wait('1', 300, { signal: stop.signal });
		const other = wait('2');
		const outcomes = Promise.allSettled([ended, other]);
		await clock.advance(5 * SECOND);
		stop.abort();
		await clock.run();
		expect(await outcomes).toMatchObject([
			{ reason: { message: expect.stringContaining('waited for its verdict') } },
			{ value: { finished: true } },
		]);
	});

	it('while it reads the list for all costs no other its last lookup', async () => {
		const stop = new AbortController();
		const { clock, wait, another } = setUp(async ({ context }, now): Promise<unknown> => {
			await clock.sleep(0.8 * SECOND, context.signal);
			if (context.signal?.aborted) return new Refusal(0, 'cancelledOnTheWay');
			return list(running(1), now < START + 8 * SECOND ? running(2) : finished(2));
		});
		const { signal } = stop;
		const ended = wait('1', 300, { signal, context: () => ({ signal }) });
		const outcomes = Promise.allSettled([ended, wait('2', 10, another())]);
		await clock.advance(9.2 * SECOND);
		stop.abort();
		await clock.run();
		expect(await outcomes).toMatchObject([
			{ reason: { message: expect.stringContaining('waited for its verdict') } },
			{ value: { finished: true } },
		]);
	});

	it('makes no further call when nobody waits any more', async () => {
		const stop = new AbortController();
		const { clock, wait, service } = setUp(() => list(running(1)));
		const ended = wait('1', 300, { signal: stop.signal }).catch(() => 'ended');
		await clock.advance(10 * SECOND);
		const before = service.sent.length;
		stop.abort();
		expect(await ended).toBe('ended');
		await macrotask();
		expect(clock.sleeping).toBe(0);
		expect(service.sent).toHaveLength(before);
	});

	it('does not begin when it is ended already', async () => {
		const { clock, wait, service } = setUp(() => list());
		await expect(wait('1', 300, { signal: AbortSignal.abort() })).rejects.toThrow(
			'waited for its verdict',
		);
		await clock.run();
		expect(service.sent).toHaveLength(0);
	});
});

describe('a scan that complete lists do not show for a minute', () => {
	const isGet = ({ call }: Sent) => call?.purpose === 'get the scan';

	it('ends its wait when Get does not know it either', async () => {
		const { clock, wait, service } = setUp((sent) => (isGet(sent) ? new Refusal(404) : list()));
		const [outcome] = await outcomesOf([wait('1')], clock);
		expect(outcome).toMatchObject({
			value: { finished: false, issue: { unseen: 'nothing', unlisted: true } },
		});
		expect(clock.now()).toBeLessThan(START + 100 * SECOND);
		expect(service.sent.filter(isGet)).toHaveLength(1);
	});

	it('has the verdict that Get gives', async () => {
		const record = { ...finished(1), full_scan_id: 'long' };
		const { clock, wait } = setUp((sent) => (isGet(sent) ? record : list()));
		const [outcome] = await outcomesOf([wait('1')], clock);
		expect(outcome).toMatchObject({ value: { finished: true, record } });
	});

	it('is then found in the list under the ID that Get gave', async () => {
		const { clock, wait } = setUp((sent, now) => {
			if (isGet(sent)) return { id: 1, full_scan_id: 'long', finished_at: null };
			return list(
				now < START + 150 * SECOND ? { id: 9 } : { ...finished(9), full_scan_id: 'long' },
			);
		});
		const [outcome] = await outcomesOf([wait('1')], clock);
		expect(outcome).toMatchObject({ value: { finished: true } });
	});

	it.each([
		['other IDs', { id: 9, full_scan_id: 'other' }],
		['a composite ID alone', { full_scan_id: 'other' }],
		['the ID as that of its root', { id: 9, root_scan_id: '1' }],
		['no ID but that of a root', { root_scan_id: 'root' }],
		['no ID', {}],
	])('does not take for its own a record of Get with %s', async (_, ids) => {
		for (const finishedAt of ['2026-11-01T08:00:00Z', null]) {
			const record = { finished_at: finishedAt, verbose_verdict: 'CLN', ...ids };
			const listed = list(finished('root'), finished('other'), finished(9));
			const { clock, wait, service } = setUp((sent) => (isGet(sent) ? record : listed));
			const [outcome] = await outcomesOf([wait('1')], clock);
			expect(outcome).toMatchObject({
				value: { finished: false, issue: { unseen: 'nothing', unlisted: true } },
			});
			expect(outcome).toMatchObject({ value: { record: undefined } });
			expect(service.sent.filter(isGet)).toHaveLength(1);
		}
	});

	it('is asked for once a minute while Get fails', async () => {
		const { clock, wait, service } = setUp((sent) => (isGet(sent) ? new Refusal(503) : list()));
		const [outcome] = await outcomesOf([wait('1')], clock);
		expect(outcome).toMatchObject({ value: { finished: false, issue: { unseen: 'nothing' } } });
		expect(outcome).not.toMatchObject({ value: { issue: { unlisted: true } } });
		expect(service.sent.filter(isGet)).toHaveLength(3);
	});

	it('is not asked for while the list could not be read to its end', async () => {
		let page = 0;
		const { clock, wait, service } = setUp(() => ({
			results: [],
			next: `https://x/?page=${++page}`,
		}));
		await outcomesOf([wait('1', 200)], clock);
		expect(service.sent.filter(isGet)).toHaveLength(0);
	});
});

describe('a scan of which only parts are listed', () => {
	const part = (code: string) => ({ ...finished(100, code), root_scan_id: 7 });
	const isGet = ({ call }: Sent) => call?.purpose === 'get the scan';

	it('is harmful when a part is', async () => {
		const { clock, wait } = setUp(() => list(part('CLN'), part('MAL')));
		const [outcome] = await outcomesOf([wait('7')], clock);
		expect(outcome).toMatchObject({
			value: { finished: true, part: true, record: { verbose_verdict: 'MAL' } },
		});
	});

	it.each(['CLN', ''])('is not finished when all parts have finished with %p', async (code) => {
		const { clock, wait } = setUp((sent) => (isGet(sent) ? new Refusal(404) : list(part(code))));
		const [outcome] = await outcomesOf([wait('7')], clock);
		expect(outcome).toMatchObject({
			value: { finished: false, record: undefined, issue: { unseen: 'parts' } },
		});
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
});
