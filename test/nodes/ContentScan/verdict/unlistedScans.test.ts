import { callMaker } from '../../../../services/scanning/scanService';
import { issueNote } from '../../../../nodes/ContentScan/verdict/waitIssue';
import type { WaitOutcome } from '../../../../nodes/ContentScan/verdict/waitingScan';
import { Refusal } from '../support/fakeService';
import type { Sent } from '../support/fakeService';
import { finished, list, outcomesOf, running, SECOND, setUp, START } from '../support/fakeList';

const isGet = ({ call }: Sent) => call?.purpose === 'get the scan';

describe('a scan that the list does not show for a minute', () => {
	it('is waited for to the end when Get does not know it either, and that is told', async () => {
		const { clock, wait, service } = setUp((sent) => (isGet(sent) ? new Refusal(404) : list()));
		const [outcome] = await outcomesOf([wait('1')], clock);
		expect(outcome).toMatchObject({
			value: { finished: false, issue: { unseen: 'nothing', notFound: 'unknown' } },
		});
		expect(clock.now()).toBe(START + 300 * SECOND);
		expect(service.sent.filter(isGet).length).toBeLessThan(5);
	});

	it.each(['list', 'Get'])('is found by the %s that knows it late', async (place) => {
		const { clock, wait } = setUp((sent, now) => {
			const isKnown = now > START + 100 * SECOND && isGet(sent) === (place === 'Get');
			if (isGet(sent)) return isKnown ? finished(1) : new Refusal(404);
			return isKnown ? list(finished(1)) : list();
		});
		const [outcome] = await outcomesOf([wait('1')], clock);
		expect(outcome).toMatchObject({ value: { finished: true, issue: {} } });
	});

	it('costs one Get, however many items of however many executions wait for the same ID', async () => {
		const { clock, wait, another, service } = setUp((sent) => (isGet(sent) ? finished(1) : list()));
		const outcomes = await outcomesOf(
			Array.from({ length: 200 }, async () => await wait('1', 300, another())),
			clock,
		);
		for (const outcome of outcomes) expect(outcome).toMatchObject({ value: { finished: true } });
		expect(service.sent.filter(isGet)).toHaveLength(1);
	});

	it('is found for one credential where that of another has a wrong path for Get', async () => {
		const { clock, wait, another } = setUp((sent) => {
			if (!isGet(sent)) return list();
			return sent.call?.path.includes('wrong') ? new Refusal(404) : finished(1);
		});
		const operationPaths = { values: { getScan: 'wrong/{scanId}/' } };
		const wrong = { scans: { ...another().scans, call: callMaker({ operationPaths } as never) } };
		const outcomes = await outcomesOf([wait('1', 130, wrong), wait('1', 130)], clock);
		expect(outcomes).toMatchObject([
			{ value: { finished: false, issue: { notFound: 'unknown' } } },
			{ value: { finished: true } },
		]);
	});

	it('is found for the others where the execution that asks Get is canceled', async () => {
		const stop = new AbortController();
		const { clock, wait, another } = setUp(async (sent) => {
			if (!isGet(sent)) return list();
			if (sent.context.signal !== stop.signal) return finished(1);
			stop.abort();
			await clock.sleep(SECOND);
			return new Refusal(0, 'cancelledOnTheWay');
		});
		const canceled = wait('1', 100, { signal: stop.signal }).catch(() => 'canceled');
		const outcomes = await outcomesOf(
			[wait('1', 100, another()), wait('1', 100, another())],
			clock,
		);
		expect(await canceled).toBe('canceled');
		for (const outcome of outcomes) expect(outcome).toMatchObject({ value: { finished: true } });
	});

	const older = { ...finished(1), created_at: new Date(START - 48 * 3_600_000).toISOString() };

	it.each([
		['created', older],
		['finished', { ...older, created_at: null, finished_at: older.created_at }],
	])(
		'does not have the verdict of a scan with the same ID that was %s before',
		async (_, record) => {
			const { clock, wait } = setUp((sent) => (isGet(sent) ? record : list()));
			const [outcome] = await outcomesOf([wait('1')], clock);
			expect(outcome).toMatchObject({
				value: { finished: false, record: undefined, issue: { notFound: 'older' } },
			});
			const { issue } = (outcome as PromiseFulfilledResult<WaitOutcome>).value;
			expect(issueNote(issue)).toContain('an older scan with this ID');
		},
	);

	const ZERO = '0001-01-01T00:00:00Z';

	it.each<[string, Record<string, unknown>]>([
		['a running scan that writes so for "not yet"', { finished_at: ZERO }],
		[
			'a scan that never tells when it was created',
			{ created_at: ZERO, timestamp: older.created_at },
		],
		['one whose verdict was known before', { finished_at: older.created_at }],
	])('is not taken for an older one by times that are none of its own: %s', async (_, times) => {
		const { clock, wait } = setUp((sent, now) => {
			if (isGet(sent)) return new Refusal(404);
			const mine = { ...finished(1, 'MAL'), created_at: new Date(START).toISOString(), ...times };
			const isDone = now > START + 100 * SECOND;
			if (times.finished_at === ZERO && isDone) mine.finished_at = new Date(now).toISOString();
			return list(mine);
		});
		const [outcome] = await outcomesOf([wait('1')], clock);
		expect(outcome).toMatchObject({
			value: { finished: true, record: { verbose_verdict: 'MAL' } },
		});
	});

	it('has its own verdict where the list shows an older scan with the same ID as well', async () => {
		const { clock, wait } = setUp((sent, now) => {
			if (isGet(sent)) return new Refusal(404);
			return now < START + 100 * SECOND ? list(older) : list(older, finished(1, 'MAL'));
		});
		const [outcome] = await outcomesOf([wait('1')], clock);
		expect(outcome).toMatchObject({
			value: { finished: true, record: { verbose_verdict: 'MAL' } },
		});
	});

	it('has the verdict that Get gives', async () => {
		const record = { ...finished(1), full_scan_id: 'long 1' };
		const { clock, wait } = setUp((sent) => (isGet(sent) ? record : list()));
		const [outcome] = await outcomesOf([wait('1')], clock);
		expect(outcome).toMatchObject({ value: { finished: true, record } });
	});

	it.each([500, 403])(
		'has it too where the service can never list what was created then (%p)',
		async (status) => {
			const { clock, wait } = setUp((sent, now) => {
				if (!isGet(sent)) return new Refusal(status);
				return now < START + 200 * SECOND ? running(1) : finished(1, 'MAL');
			});
			const [outcome] = await outcomesOf([wait('1', 400)], clock);
			expect(outcome).toMatchObject({
				value: { finished: true, record: { verbose_verdict: 'MAL' } },
			});
		},
	);

	it('is not asked for again and again with a token that is refused', async () => {
		const { clock, wait, service } = setUp(() => new Refusal(401));
		const ids = Array.from({ length: 30 }, (_, id) => String(id));
		const outcomes = await outcomesOf(
			ids.map(async (id) => await wait(id)),
			clock,
		);
		expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true);
		expect(service.sent.filter(isGet)).toHaveLength(1);
	});

	it('is then found in the list under the ID that Get gave', async () => {
		const { clock, wait } = setUp((sent, now) => {
			if (isGet(sent)) return { id: 1, full_scan_id: 'long 1', finished_at: null };
			return list(
				now < START + 150 * SECOND ? { id: 9 } : { ...finished(9), full_scan_id: 'long 1' },
			);
		});
		const [outcome] = await outcomesOf([wait('1')], clock);
		expect(outcome).toMatchObject({ value: { finished: true, listedId: 'long 1' } });
	});

	it('is waited for where the list has shown it running before', async () => {
		const { clock, wait } = setUp((sent, now) => {
			if (isGet(sent)) return new Refusal(404);
			if (now < START + 4 * SECOND) return list({ id: 1, finished_at: null });
			return now < START + 200 * SECOND ? list() : list(finished(1));
		});
		const [outcome] = await outcomesOf([wait('1')], clock);
		expect(outcome).toMatchObject({ value: { finished: true } });
	});

	it('is asked for after each lookup of a list that never answers', async () => {
		const { clock, wait } = setUp(async (sent, now) => {
			if (isGet(sent)) return now < START + 1200 * SECOND ? running(1) : finished(1);
			const { answerWithinMs, deadline } = sent.context;
			await clock.sleep(Math.min(answerWithinMs!, deadline! - now));
			return new Refusal(0, 'noAnswer');
		});
		const [outcome] = await outcomesOf([wait('1', 1800)], clock);
		expect(outcome).toMatchObject({ value: { finished: true } });
	});

	it('is asked for in turn with all others', async () => {
		const asked: string[] = [];
		const { clock, wait } = setUp((sent) => {
			if (!isGet(sent)) return list();
			asked.push(String(sent.call?.pathValues?.scanId));
			return new Refusal(503);
		}, 30);
		const ids = Array.from({ length: 25 }, (_, id) => String(id));
		await outcomesOf(
			ids.map(async (id) => await wait(id, 900)),
			clock,
		);
		expect(new Set(asked.slice(0, 25)).size).toBe(25);
	});

	it('is waited for where the list could not be read since, though Get does not know its ID', async () => {
		const { clock, wait } = setUp((sent, now) => {
			if (isGet(sent)) return new Refusal(404);
			if (now < START + 4 * SECOND) return list();
			return now < START + 120 * SECOND ? new Refusal(503) : list(finished(1));
		});
		const [outcome] = await outcomesOf([wait('1')], clock);
		expect(outcome).toMatchObject({ value: { finished: true } });
	});

	it('does not lose its turn to one of which Get is silent', async () => {
		const asked: string[] = [];
		const { clock, wait } = setUp(async (sent) => {
			if (!isGet(sent)) return list();
			if (sent.context.deadline! <= clock.now()) return new Refusal(503);
			asked.push(String(sent.call?.pathValues?.scanId));
			await clock.sleep(8 * SECOND);
			return new Refusal(503);
		}, 30);
		const ids = Array.from({ length: 12 }, (_, id) => String(id));
		await outcomesOf(
			ids.map(async (id) => await wait(id, 900)),
			clock,
		);
		expect(new Set(asked).size).toBe(12);
	});

	it('costs the others no more than twenty seconds where Get is silent', async () => {
		const given: number[] = [];
		const { clock, wait } = setUp((sent, now) => {
			if (!isGet(sent)) return list();
			given.push(sent.context.deadline! - now);
			return new Refusal(503);
		});
		await outcomesOf([wait('1')], clock);
		expect(given.length).toBeGreaterThan(0);
		expect(Math.max(...given)).toBeLessThanOrEqual(20 * SECOND);
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
			const { clock, wait } = setUp((sent) => (isGet(sent) ? record : listed));
			const [outcome] = await outcomesOf([wait('1')], clock);
			expect(outcome).toMatchObject({
				value: { finished: false, issue: { unseen: 'nothing', notFound: 'unknown' } },
			});
			expect(outcome).toMatchObject({ value: { record: undefined } });
		}
	});

	it('is asked for once a minute while Get fails', async () => {
		const { clock, wait, service } = setUp((sent) => (isGet(sent) ? new Refusal(503) : list()));
		const [outcome] = await outcomesOf([wait('1')], clock);
		expect(outcome).toMatchObject({ value: { finished: false, issue: { unseen: 'nothing' } } });
		expect(outcome).not.toMatchObject({ value: { issue: { notFound: 'unknown' } } });
		expect(service.sent.filter(isGet)).toHaveLength(3);
	});

	it('is asked for, and waited for further, where the list is too long to be read to its end', async () => {
		let page = 0;
		const endless = () => ({ results: [], next: `https://x/?page=${++page}` });
		const unknown = setUp((sent) => (isGet(sent) ? new Refusal(404) : endless()));
		const [outcome] = await outcomesOf([unknown.wait('1', 200)], unknown.clock);
		expect(outcome).toMatchObject({ value: { finished: false, issue: { cutOff: true } } });
		expect(unknown.clock.now()).toBeGreaterThan(START + 190 * SECOND);
		expect(unknown.service.sent.filter(isGet)).toHaveLength(2);
		const known = setUp((sent) => (isGet(sent) ? finished(1) : endless()));
		const [found] = await outcomesOf([known.wait('1', 200)], known.clock);
		expect(found).toMatchObject({ value: { finished: true } });
	});
});

describe('a scan of which only parts are listed', () => {
	const part = (code: string) => ({ ...finished(100, code), root_scan_id: 7 });

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
