import { CALL, setUp } from './support/fakeConnection';

describe('a call that meets', () => {
	it('503 is sent again, after what the service asked for', async () => {
		const { settled, requests, clock } = setUp((_, attempt) =>
			attempt < 3 ? { status: 503, headers: { 'retry-after': '20' } } : { body: 'true' },
		);
		const begun = clock.now();
		expect(await settled()).toStrictEqual({ body: true });
		expect(requests).toHaveLength(3);
		expect(clock.now() - begun).toBe(40_000);
	});

	it('503 for good is given up after four attempts', async () => {
		const { settled, requests } = setUp(() => ({ status: 503 }));
		expect(await settled()).toMatchObject({ error: { httpCode: '503' } });
		expect(requests).toHaveLength(4);
	});

	it('503 tells of each repetition, so that it can be counted', async () => {
		const { settled } = setUp((_, attempt) => (attempt < 3 ? { status: 503 } : { body: 'true' }));
		let retries = 0;
		await settled({}, { onRetry: () => retries++ });
		expect(retries).toBe(2);
	});

	it('503 is not sent again where there is no time for that', async () => {
		const { settled, requests } = setUp(() => ({ status: 503 }));
		expect(await settled({}, { repeatsForMs: 0 })).toMatchObject({ error: { httpCode: '503' } });
		expect(requests).toHaveLength(1);
	});

	it('503 is sent again only for so long after it was first sent', async () => {
		const { settled, requests } = setUp(() => ({ status: 503 }));
		expect(await settled({}, { repeatsForMs: 5000 })).toMatchObject({ error: { httpCode: '503' } });
		expect(requests).toHaveLength(3);
	});

	it('a connection that breaks is sent again, though its answer may take so long only', async () => {
		const { settled, requests } = setUp((_, attempt) => {
			if (attempt > 1) return { body: 'true' };
			throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
		});
		expect(await settled({}, { answerWithinMs: 20_000 })).toStrictEqual({ body: true });
		expect(requests).toHaveLength(2);
	});

	it('silence closes its socket, which the HTTP client of n8n 1.100 leaves open', async () => {
		let closed = 0;
		const request = { destroy: () => closed++ };
		const { settled } = setUp(() => {
			const cause = Object.assign(new Error('timeout'), { code: 'ECONNABORTED', request });
			throw Object.assign(new Error('wrapped'), { cause });
		});
		expect(await settled({ idempotent: false })).toMatchObject({ error: expect.anything() });
		expect(closed).toBe(1);
	});

	it('503 is not sent again past its deadline', async () => {
		const { settled, requests, clock } = setUp(() => ({ status: 503 }));
		await settled({}, { deadline: clock.now() + 900 });
		expect(requests).toHaveLength(1);
	});

	it('429 keeps its place in the queue and is answered in the end', async () => {
		const { settled, requests } = setUp((_, attempt) =>
			attempt === 1 ? { status: 429, headers: { 'retry-after': '7' } } : { body: 'true' },
		);
		expect(await settled()).toStrictEqual({ body: true });
		expect(requests).toHaveLength(2);
	});

	it('429 until its deadline says so, and how long it waited', async () => {
		const { settled, clock } = setUp(() => ({ status: 429 }));
		const outcome = await settled({}, { deadline: clock.now() + 30_000 });
		expect(outcome).toMatchObject({
			error: {
				httpCode: '429',
				message: expect.stringMatching(/\(429\)\. It waited \d+ seconds\./),
				failure: { cause: 'rate-limited', retryAfterMs: expect.any(Number) },
			},
		});
	});

	it('429 with a Retry-After until just before its deadline is told as such, not as a silence', async () => {
		const headers = { 'retry-after': '30' };
		const { settled, clock, requests } = setUp(() => ({ status: 429, headers }));
		const outcome = await settled({}, { deadline: clock.now() + 30_600 });
		expect(outcome).toMatchObject({ error: { httpCode: '429' } });
		expect(requests).toHaveLength(1);
	});

	it('429 with a Retry-After of a day says until when, also to the calls behind it', async () => {
		const { service, clock, requests } = setUp(() => ({
			status: 429,
			headers: { 'retry-after': '86400' },
		}));
		const deadline = clock.now() + 60_000;
		const send = async () =>
			await service.send(CALL, { deadline }).catch(({ message }: Error) => message);
		const outcomes = [send(), send().then(async () => await send())];
		await clock.run();
		const [first, last] = await Promise.all(outcomes);
		const until = 'No call can be sent before 2023-11-15T22:13:20Z.';
		expect(first).toBe(
			`Could not read the log: the console allows no more calls for now (429). ${until}`,
		);
		expect(last).toBe(
			`Could not read the log: the call was not sent, because no more are allowed for now. ${until}`,
		);
		expect(requests).toHaveLength(2);
	});

	it('a cancellation while it waits is not sent', async () => {
		const { settled, requests } = setUp(() => ({}));
		expect(await settled({}, { signal: AbortSignal.abort() })).toMatchObject({
			error: { message: expect.stringContaining('canceled while the call waited to be sent') },
		});
		expect(requests).toHaveLength(0);
	});
});

it('counts the calls that waited, and the longest wait', async () => {
	const { settled, service } = setUp(() => ({}), { callsPerMinute: 1 });
	await settled();
	await settled();
	expect(service.delays).toStrictEqual({ calls: 1, longestMs: 60_050 });
});
