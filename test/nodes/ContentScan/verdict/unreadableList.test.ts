import type { NodeApiError } from 'n8n-workflow';
import { Refusal } from '../support/fakeService';
import { finished, list, outcomesOf, running, SECOND, setUp, START } from '../support/fakeList';

describe('a list that cannot be read', () => {
	it('ends the wait when the token is refused for half a minute', async () => {
		const { clock, wait, service } = setUp(() => new Refusal(401));
		const outcomes = await outcomesOf([wait('1'), wait('2')], clock);
		expect(outcomes).toMatchObject([
			{ reason: { httpCode: '401' } },
			{ reason: { httpCode: '401' } },
		]);
		expect(service.sent.length).toBeLessThan(10);
		expect(clock.now() - START).toBeLessThan(60 * SECOND);
		// Who runs the item again pays twice.
		const { reason } = outcomes[0] as PromiseRejectedResult & { reason: NodeApiError };
		expect(reason.description).toMatch(/^The scan was submitted: .* do not submit it again\./);
	});

	it.each([403, 404, 302])('is waited for as long as was asked for after a %d', async (status) => {
		const { clock, wait } = setUp((_, now) =>
			now < START + 45 * SECOND ? new Refusal(status) : list(finished(1)),
		);
		const [outcome] = await outcomesOf([wait('1')], clock);
		expect(outcome).toMatchObject({ value: { finished: true } });
		const never = setUp(() => new Refusal(status));
		const [timedOut] = await outcomesOf([never.wait('1')], never.clock);
		const failure = expect.stringContaining(`(${status})`);
		expect(timedOut).toMatchObject({ value: { finished: false, issue: { failure } } });
		expect(never.clock.now()).toBe(START + 300 * SECOND);
	});

	it.each([403, 404, 302])('ends a long wait after five minutes of %d', async (status) => {
		const { clock, wait } = setUp(() => new Refusal(status));
		const [outcome] = await outcomesOf([wait('1', 3600)], clock);
		expect(outcome).toMatchObject({ reason: { httpCode: String(status) } });
		expect(clock.now() - START).toBeLessThan(360 * SECOND);
	});

	it.each([400, 422])(
		'ends only the waits for scans in a part that gives %d for good',
		async (status) => {
			const created = (id: number) => START + id * 600 * SECOND;
			const { clock, wait } = setUp(({ call }, now) => {
				const { start = 0, end = Infinity } = call?.query ?? {};
				const isIn = (time: number) =>
					time >= Number(start) * SECOND && time <= Number(end) * SECOND && time <= now;
				if (isIn(created(1))) return new Refusal(status);
				const shown = [0, 1, 2, 3].filter((id) => isIn(created(id)));
				return list(
					...shown.map((id) => (now < START + 2700 * SECOND ? running(id) : finished(id))),
				);
			});
			const waits = [0, 1, 2, 3].map(async (id) => {
				const listFrom = created(id);
				return await wait(String(id), 3600, { listFrom, listTo: listFrom });
			});
			expect(await outcomesOf(waits, clock)).toMatchObject([
				{ value: { finished: true } },
				{ reason: { httpCode: String(status) } },
				{ value: { finished: true } },
				{ value: { finished: true } },
			]);
		},
	);

	it('is waited for as long as was asked for where each answer tells an error', async () => {
		const { clock, wait } = setUp(() => new Refusal(200, 'toldError'));
		const [outcome] = await outcomesOf([wait('1', 1800)], clock);
		expect(outcome).toMatchObject({ value: { finished: false } });
		expect(clock.now()).toBe(START + 1800 * SECOND);
	});

	it('does not count for the token what was refused for another reason before', async () => {
		const { clock, wait } = setUp((_, now) => {
			if (now > START + 60 * SECOND) return list(finished(1));
			return new Refusal(now < START + 40 * SECOND ? 403 : 401);
		});
		const [outcome] = await outcomesOf([wait('1')], clock);
		expect(outcome).toMatchObject({ value: { finished: true } });
	});

	it.each([400, 401, 403, 404, 421, 425, 302])('is tried again after some %d', async (status) => {
		let calls = 0;
		const { clock, wait } = setUp(() => (++calls < 4 ? new Refusal(status) : list(finished(1))));
		const [outcome] = await outcomesOf([wait('1')], clock);
		expect(outcome).toMatchObject({ value: { finished: true } });
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
		const { clock, wait, another } = setUp((_, now) =>
			now < START + 50 * SECOND ? new Refusal(401) : list(finished(2)),
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
		const [outcome] = await outcomesOf([wait('1', 900)], clock);
		expect(outcome).toMatchObject({
			reason: { message: expect.stringContaining("list 'results'") },
		});
	});
});
