import { CALL, ORIGIN, setUp } from './support/fakeConnection';

it('asks n8n for a stream, without redirects and without errors for a status', async () => {
	const { settled, requests } = setUp(() => ({ body: { items: [] } }));
	expect(await settled({ query: { limit: 1 } })).toStrictEqual({ body: { items: [] } });
	expect(requests[0]).toMatchObject({
		method: 'GET',
		url: `${ORIGIN}/entries?limit=1`,
		encoding: 'stream',
		disableFollowRedirect: true,
		ignoreHttpStatusErrors: true,
		timeout: 120_000,
	});
});

it('tells how long the request took that was answered, and not what was before it', async () => {
	const { service, clock } = setUp((_, attempt) => {
		const body = async () => await clock.sleep(attempt * 1000);
		return attempt === 1 ? { status: 503, body } : { body };
	});
	const answer = service.send(CALL);
	await clock.run();
	expect((await answer).tookMs).toBe(2000);
});

it('tells no time below zero where the clock was set back meanwhile', async () => {
	const { service, clock } = setUp(() => {
		clock.set(clock.now() - 1000);
		return {};
	});
	const answer = service.send(CALL);
	await clock.run();
	expect((await answer).tookMs).toBe(0);
});

describe('the credential', () => {
	it('is handed to n8n where it was read before, so that n8n does not read it for each request', async () => {
		const credential = { consoleUrl: ORIGIN };
		const { settled, credentialOptions } = setUp(() => ({}), { credential });
		await settled();
		expect(credentialOptions[0]?.credentialsDecrypted?.data).toBe(credential);
	});

	it('is read by n8n where it is not at hand', async () => {
		const { settled, credentialOptions } = setUp(() => ({}));
		await settled();
		expect(credentialOptions).toStrictEqual([undefined]);
	});
});

describe('time', () => {
	it('goes on as before where the clock is set while a call waits to be sent again', async () => {
		for (const hours of [1, -1]) {
			const { settled, requests, clock } = setUp((_, attempt) => {
				if (attempt === 1) clock.set(clock.now() + hours * 3_600_000);
				return attempt < 3 ? { status: 503 } : {};
			});
			expect(await settled({}, { deadline: clock.now() + 30_000 })).toStrictEqual({ body: {} });
			expect(requests.map(({ timeout }) => timeout)).toStrictEqual([30_000, 29_000, 26_000]);
		}
	});

	it('goes on as before where the clock is set while a call waits in the queue', async () => {
		const { service, requests, clock } = setUp(() => ({}), { callsPerMinute: 1 });
		const first = service.send(CALL);
		const second = service.send(CALL, { deadline: clock.now() + 90_000 });
		clock.set(clock.now() + 3_600_000);
		await clock.run();
		await Promise.all([first, second]);
		expect(requests[1].timeout).toBe(90_000 - 60_050);
	});

	it('is not enough for a read that had to wait until a second before its deadline: the service is not blamed', async () => {
		const { service, requests, clock } = setUp(() => ({}), { callsPerMinute: 1, readOnly: false });
		const effect = { ...CALL, method: 'POST', idempotent: false } as const;
		const deadline = clock.now() + 61_000;
		const answers = Promise.allSettled([
			service.send(CALL, { deadline: clock.now() + 1000 }),
			service.send(CALL, { deadline }),
			service.send(effect, { deadline }),
		]);
		await clock.run();
		expect(await answers).toMatchObject([
			{ status: 'fulfilled' },
			{ reason: { message: expect.stringContaining('the call was not sent') } },
			{ status: 'fulfilled' },
		]);
		expect(requests.map(({ method }) => method)).toStrictEqual(['GET', 'POST']);
	});

	it('for an idempotent call is what is left before the deadline', async () => {
		const { settled, requests, clock } = setUp(() => ({}));
		await settled({}, { deadline: clock.now() + 5000 });
		expect(requests[0].timeout).toBe(5000);
		expect(requests[0].abortSignal).toBeDefined();
	});

	it('for a call with an effect is not cut short by the deadline, and grows with its upload', async () => {
		const { settled, requests, clock } = setUp(() => ({}), { readOnly: false });
		const effect = { method: 'POST', idempotent: false } as const;
		await settled(effect, { deadline: clock.now() + 5000 });
		const file = {
			part: 'data',
			fileName: 'f',
			mimeType: 'x/y',
			size: 500 * 1024 * 1024,
			open: async () => await Promise.reject(new Error('is not opened here')),
		};
		await settled({ ...effect, body: { type: 'multipart', fields: {}, file } });
		expect(requests.map(({ timeout }) => timeout)).toStrictEqual([120_000, 120_000 + 40_960_000]);
		expect(requests[0].abortSignal?.aborted).toBe(false);
	});
});

it('lets nothing but GET leave towards a service that is read only', async () => {
	const { settled, requests } = setUp(() => ({}));
	for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const) {
		expect(await settled({ method })).toMatchObject({
			error: { message: expect.stringContaining('the console is read only') },
		});
	}
	expect(requests).toHaveLength(0);
});

it.each(['@evil.example/', '.evil.example/', ':80@evil.example/'])(
	'does not send a call whose path %j would lead elsewhere',
	async (path) => {
		const { settled, requests } = setUp(() => ({}));
		expect(await settled({ path })).toMatchObject({ error: expect.anything() });
		expect(requests).toHaveLength(0);
	},
);
