import { LogReading } from '../../../../nodes/ConsoleAuditLog/reading/logReading';
import type { PollState } from '../../../../nodes/ConsoleAuditLog/reading/pollState';
import { freshState } from '../../../../nodes/ConsoleAuditLog/reading/pollState';
import { readLog } from '../../../../nodes/ConsoleAuditLog/trigger/readLog';
import type { CallFailure } from '../../../../transport/errors/failure';
import { statusFailure } from '../../../../transport/errors/failure';
import type { ServiceHabits } from '../support/modelLog';
import { ModelLog, PLAIN_HABITS } from '../support/modelLog';
import { SCOPE, SETTINGS, stored } from '../support/modelPoll';
import { ModelService } from '../support/modelService';

const BEGIN = Date.UTC(2026, 2, 1);

function reader(count: number, habits: Partial<ServiceHabits> = {}, gapMs = 1000) {
	const entries = Array.from({ length: count }, (_, number) => {
		const time = BEGIN + number * gapMs;
		const createdAt = new Date(time).toISOString();
		return { time, appearsAt: time, entry: { auditlogId: `e${number}`, createdAt } };
	});
	const log = new ModelLog(entries, { ...PLAIN_HABITS, ...habits });
	const service = new ModelService(log, BEGIN + count * 1000);
	const read = async (
		settings = {},
		deadline = Infinity,
		state = freshState(SCOPE),
		isAnswered?: boolean,
	) => {
		const reading = new LogReading(
			state,
			{ ...SETTINGS, ...settings },
			{ now: service.clock.now() },
		);
		const failure = await readLog(service, reading, {
			...{ deadline, isAnswered },
			clock: service.clock,
		});
		return { reading, failure };
	};
	return { service, read };
}

describe('carrying out a reading', () => {
	test('page after page, to the end', async () => {
		const { read } = reader(250);
		const { reading, failure } = await read({ pageSize: 100 });
		expect(failure).toBeUndefined();
		expect(reading.newEntries).toHaveLength(250);
	});

	test('until the time is over', async () => {
		const { service, read } = reader(250);
		service.callMs = 10_000;
		const { reading, failure } = await read({ pageSize: 10 }, service.now + 25_000);
		expect(failure).toBeUndefined();
		expect(reading.newEntries).toHaveLength(30);
	});

	test.each([
		['a small page, where it has read another place before', true, 100, 100],
		['a larger page there', true, 1000, 100],
		['the first page', false, 100, 10],
	])('what the end of a poll cuts off: %s', async (_, isAnswered, size, next) => {
		const { service, read } = reader(250);
		service.callMs = 10_000;
		service.troubles.push({ kind: 'noAnswer' });
		const state = { ...freshState(SCOPE, BEGIN), pageSize: { size } };
		const { reading, failure } = await read({}, service.now + 10_000, state, isAnswered);
		expect(reading.memory.pageSize?.size).toBe(next);
		expect(reading.state).toEqual(state);
		// It is told unless a smaller page may help in the next poll.
		const isTold = !isAnswered || size === next;
		expect(failure?.message.includes('did not answer') ?? false).toBe(isTold);
	});

	test('what appears while an answer is on its way counts as not read', async () => {
		const { service, read } = reader(100);
		service.callMs = 30_000;
		const asked = service.now;
		const { reading } = await read({ lookbackMs: 0 });
		expect(Date.parse(reading.state.from ?? '')).toBeLessThanOrEqual(asked);
	});

	test.each([3_600_000, -3_600_000])(
		'to the time of the console, though the clock here is set by %i ms meanwhile',
		async (jump) => {
			const { service, read } = reader(100);
			service.clockJumpMs = jump;
			const { reading } = await read({ lookbackMs: 0 });
			expect(reading.state.from).toBe(new Date(BEGIN + 99_000).toISOString());
		},
	);

	test('by the clock here where the console does not tell its time', async () => {
		const { service, read } = reader(10);
		service.tellsTime = false;
		const { reading } = await read();
		expect(reading.state.since).toBe(new Date(BEGIN + 9000).toISOString());
	});

	test.each<[string, CallFailure]>([
		['a refusal', { kind: 'badRequest', status: 400 }],
		['a fault', { kind: 'serverFault', status: 500 }],
		['no answer', { kind: 'noAnswer' }],
		['an answer that is too long', { kind: 'answerTooLarge', detail: '64 MB' }],
		['what else a gateway answers', { kind: 'forbidden', status: 403 }],
		['a web page', { kind: 'webPage', status: 200 }],
		['another answer', { kind: 'wrongShape', detail: "there is no list of 'items'" }],
		['an address elsewhere', { kind: 'redirect', status: 302 }],
	])('%s to a larger page leads back to the smaller one', async (_, trouble) => {
		const { service, read } = reader(300);
		service.troubles.push(undefined, trouble);
		const { reading, failure } = await read();
		expect(failure).toBeUndefined();
		expect(service.queries.slice(0, 3).map(({ limit }) => limit)).toEqual([100, 1000, 100]);
		expect(reading.newEntries).toHaveLength(300);
		expect(reading.state.pageSize).toMatchObject({ size: 100, failed: 1000 });
	});

	test.each<CallFailure>([{ kind: 'refusedConnection' }, { kind: 'noSecureConnection' }])(
		'%p to a page token ends the poll: no other call would be answered',
		async (trouble) => {
			const { service, read } = reader(120);
			service.troubles.push(undefined, trouble);
			const { reading, failure } = await read({ pageSize: 40 });
			expect(failure).toBeDefined();
			expect(service.queries).toHaveLength(2);
			expect(reading.newEntries).toHaveLength(40);
		},
	);

	test.each<CallFailure>([
		...[400, 401, 403, 404, 407, 409, 410, 412, 422, 500, 503].map((status) => ({
			kind: statusFailure(status)!,
			status,
		})),
		{ kind: 'redirect', status: 302 },
		{ kind: 'webPage', status: 200 },
		{ kind: 'wrongShape', detail: "there is no list of 'items'" },
	])('a page token that is answered with %p is done without', async (trouble) => {
		const { service, read } = reader(120);
		service.troubles.push(undefined, trouble);
		const { reading, failure } = await read({ pageSize: 40 });
		expect(failure).toBeUndefined();
		expect(reading.newEntries).toHaveLength(120);
		expect(service.queries.filter(({ pageToken }) => pageToken === undefined)).toHaveLength(2);
	});

	describe.each<[string, (token: string | null) => unknown]>([
		['a number', (token) => token && 17],
		['a number, on the last page too', () => 17],
		['an object', (token) => token && { page: token }],
		['over 16 KB', (token) => token && 'x'.repeat(17_000)],
	])('a page token that cannot be sent: %s', (_, tokenAs) => {
		test('is done without, by position', async () => {
			const { service, read } = reader(250);
			service.tokenAs = tokenAs;
			const { reading, failure } = await read({ pageSize: 40 });
			expect(failure).toBeUndefined();
			expect(reading.newEntries).toHaveLength(250);
			expect(reading.reachedEnd).toBe(true);
			expect(service.queries.every(({ pageToken }) => pageToken === undefined)).toBe(true);
		});

		test('also by a console that delivers less than it is asked for', async () => {
			const { service, read } = reader(250, { maxLimit: 30, overMax: 'cap' });
			service.tokenAs = tokenAs;
			const { reading, failure } = await read();
			expect(failure).toBeUndefined();
			expect(reading.newEntries).toHaveLength(250);
		});

		test('also over several polls, none of which brings an entry again', async () => {
			const { service, read } = reader(250);
			service.tokenAs = tokenAs;
			let state: PollState | undefined;
			const came: unknown[] = [];
			for (let poll = 0; poll < 12; poll++, service.now += 60_000) {
				const { reading, failure } = await read({ pageSize: 40, maxEntries: 40 }, Infinity, state);
				expect(failure).toBeUndefined();
				came.push(...reading.newEntries.map(({ entry }) => entry.auditlogId));
				state = stored(reading.state);
				expect(state.resume?.token).toBeUndefined();
			}
			expect(new Set(came).size).toBe(250);
			expect(came).toHaveLength(250);
		});

		test('is told where more share a moment than fit on a page', async () => {
			const { service, read } = reader(250, {}, 0);
			service.tokenAs = tokenAs;
			const { reading, failure } = await read({ pageSize: 40 });
			expect(reading.newEntries).toHaveLength(40);
			expect(reading.reachedEnd).toBe(false);
			expect(failure?.message).toContain("'nextPageToken'");
		});

		test('an empty log is an empty log', async () => {
			const { service, read } = reader(0);
			service.tokenAs = tokenAs;
			expect((await read()).failure).toBeUndefined();
		});
	});

	test.each<CallFailure>([
		{ kind: 'rateLimited', status: 429 },
		{ kind: 'refusedConnection' },
		{ kind: 'unknownHost' },
	])('with a token, %p ends the reading', async (trouble) => {
		const { service, read } = reader(120);
		service.troubles.push(undefined, trouble);
		const { reading, failure } = await read({ pageSize: 40 });
		expect(reading.newEntries).toHaveLength(40);
		expect(failure).toBeDefined();
		expect(service.queries).toHaveLength(2);
	});

	test.each([400, 410, 422])(
		'a time before the retention that is refused with %i is left',
		async (status) => {
			const { service, read } = reader(50);
			const kind = statusFailure(status)!;
			service.troubles.push(...Array<CallFailure>(2).fill({ kind, status }));
			const longAgo = freshState(SCOPE, BEGIN - 400 * 24 * 3_600_000);
			const { reading, failure } = await read({}, Infinity, longAgo);
			expect(failure).toBeUndefined();
			expect(reading.newEntries).toHaveLength(50);
		},
	);

	test('a fault whatever the page size is told as it was at first', async () => {
		const { service, read } = reader(120);
		service.troubles.push({ kind: 'serverFault', status: 500 });
		service.troubles.push(...Array<CallFailure>(9).fill({ kind: 'badRequest', status: 400 }));
		const { failure } = await read({ pageSize: 400 });
		expect(failure?.httpCode).toBe('500');
		expect(service.queries.map(({ limit }) => limit)).toEqual([400, 40, 4, 1]);
	});

	test('a call that the end of the time cuts off is no failure, once something was read', async () => {
		const { service, read } = reader(120);
		service.callMs = 10_000;
		service.troubles.push(undefined, { kind: 'noAnswer' });
		const { reading, failure } = await read({ pageSize: 40 }, service.now + 15_000);
		expect(failure).toBeUndefined();
		expect(reading.newEntries).toHaveLength(40);
		const early = reader(120);
		early.service.callMs = 7_499;
		early.service.troubles.push(undefined, { kind: 'noAnswer' });
		const timer = await early.read({ pageSize: 40 }, early.service.now + 15_000);
		expect(timer.failure).toBeUndefined();
		const stalled = reader(120);
		stalled.service.callMs = 20_000;
		stalled.service.troubles.push({ kind: 'noAnswer' });
		expect((await stalled.read({}, stalled.service.now + 15_000)).failure).toBeDefined();
	});

	test('a page token that failed says nothing where the time ends before the call without it', async () => {
		const { service, read } = reader(120);
		service.callMs = 10_000;
		service.troubles.push(undefined, { kind: 'badRequest', status: 400 });
		const { reading, failure } = await read({ pageSize: 40 }, service.now + 15_000);
		expect(failure).toBeUndefined();
		expect(reading.newEntries).toHaveLength(40);
	});

	test('a position to come that the console refuses is left for the present, if the console tells it', async () => {
		const ahead = freshState(SCOPE, BEGIN + 3_600_000);
		const { service, read } = reader(10, { refusesFuture: true });
		const { reading, failure } = await read({}, Infinity, ahead);
		expect(failure).toBeUndefined();
		const present = new Date(service.now - SETTINGS.lookbackMs).toISOString();
		expect(service.queries.at(-1)?.since).toBe(present);
		expect(reading.newEntries).toHaveLength(10);
		const silent = reader(10, { refusesFuture: true });
		silent.service.tellsTime = false;
		expect((await silent.read({}, Infinity, ahead)).failure?.httpCode).toBe('400');
	});

	test('a position to come only by a clock here that is behind stays', async () => {
		const { service, read } = reader(3600);
		service.clockSkew = -3_600_000;
		service.troubles.push(...Array<CallFailure>(3).fill({ kind: 'badRequest', status: 400 }));
		const { failure } = await read({}, Infinity, freshState(SCOPE, BEGIN + 3_000_000));
		expect(failure?.httpCode).toBe('400');
		expect(service.queries.map(({ limit }) => limit)).toEqual([100, 10, 1, 1]);
	});

	test('a circle without a way out is a failure with a sentence', async () => {
		const { read } = reader(30, { loopAfter: 2 });
		const { failure } = await read({ pageSize: 1, timestampField: 'none' });
		expect(failure?.message).toContain('circle');
	});
});
