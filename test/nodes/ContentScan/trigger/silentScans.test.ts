import { Refusal } from '../support/fakeService';
import { MINUTE, pageOf, trigger } from './support/timedTrigger';

/** Polls at each full minute. `latest`: by how many minutes the last of them to come was late. */
async function polledEachMinute(
	{ clock, poll }: ReturnType<typeof trigger>,
	minutes: number,
): Promise<{ came: Set<unknown>; latest: number }> {
	let latest = 0;
	const came = new Set<unknown>();
	for (let minute = 1; minute <= minutes; minute++) {
		for (const id of await poll(MINUTE - (clock.now() % MINUTE))) {
			came.add(id);
			latest = Math.max(latest, minute - Number(id));
		}
	}
	return { came, latest };
}

it('a slow service is not taken for one that refuses a window, since its last call had little time', async () => {
	const { clock, poll } = trigger(
		{ scans: 3600, every: 12 },
		async (inWindow, asked, { answerWithinMs = Infinity }) => {
			await clock.advance(Math.min(11_000, answerWithinMs));
			return answerWithinMs < 11_000 ? new Refusal(0, 'noAnswer') : pageOf(inWindow, asked);
		},
	);
	await clock.advance(12 * 60 * MINUTE);
	const came = new Set<unknown>();
	for (let polls = 0; polls < 20; polls++) for (const id of await poll()) came.add(id);
	expect(came.size).toBe(3600);
});

it.each([0, 20])(
	'a second for which the service is silent until the poll is over, each time, holds up no other (scan %p)',
	async (silentId) => {
		const { clock, poll } = trigger(
			{ scans: 50, every: 10 },
			async (inWindow, asked, { deadline = 0 }) => {
				const isSilent = (inWindow as Array<{ id: number }>).some(({ id }) => id === silentId);
				if (isSilent) await clock.advance(deadline - clock.now());
				return isSilent ? new Refusal(0, 'noAnswer') : pageOf(inWindow, asked);
			},
		);
		await clock.advance(20 * MINUTE);
		const came: unknown[] = [];
		for (let polls = 0; polls < 80; polls++) came.push(...(await poll()));
		expect(came).toHaveLength(49);
	},
);

it('scans for which the service is silent, while it answers soon for others, hold up those for minutes only', async () => {
	const polled = trigger(
		{ scans: 60, every: 60 },
		async (inWindow, asked, { answerWithinMs = 0 }) => {
			const isSilent = (inWindow as Array<{ id: number }>).some(({ id }) => id % 15 === 14);
			await polled.clock.advance(isSilent ? answerWithinMs : 200);
			return isSilent ? new Refusal(0, 'noAnswer') : pageOf(inWindow, asked);
		},
		{ callsPerMinute: 1000 },
	);
	const { came, latest } = await polledEachMinute(polled, 80);
	expect(came.size).toBe(56);
	expect(latest).toBeLessThan(20);
});

it('scans at which a gateway fails after seconds, while the service answers soon for others, hold up those for minutes only', async () => {
	const polled = trigger(
		{ scans: 60, every: 60 },
		async (inWindow, asked, { deadline = 0, repeatsForMs = Infinity }) => {
			const fails = (inWindow as Array<{ id: number }>).some(({ id }) => id % 12 === 11);
			// The transport repeats a call up to three times, 1, 3 and 8 s after an answer.
			const tookMs = repeatsForMs > 10_000 ? 52_000 : 10_000;
			await polled.clock.advance(fails ? Math.min(tookMs, deadline - polled.clock.now()) : 50);
			return fails ? new Refusal(504) : pageOf(inWindow, asked);
		},
		{ pollMs: 30_000 },
	);
	const { came, latest } = await polledEachMinute(polled, 120);
	expect(came.size).toBe(55);
	expect(latest).toBeLessThan(20);
});

it('a scan for which the connection breaks at once, each time, holds up no other', async () => {
	const { poll } = trigger({ scans: 60, every: 60 }, (inWindow, asked) => {
		const isBroken = (inWindow as Array<{ id: number }>).some(({ id }) => id === 20);
		return isBroken ? new Refusal(0, 'noAnswer') : pageOf(inWindow, asked);
	});
	const late: number[] = [];
	for (let minute = 1; minute <= 70; minute++) {
		for (const id of await poll()) late.push(minute - Number(id));
	}
	expect(late).toHaveLength(59);
	expect(Math.max(...late)).toBeLessThan(20);
});

it('a later page of a second that is silent until the poll is over, each time, holds up no other second', async () => {
	const { clock, poll } = trigger(
		{ scans: 1000, every: 0.004 },
		async (inWindow, asked, { deadline = 0 }) => {
			const page = pageOf(inWindow, asked, asked.limit);
			const isSilent = (page.results as Array<{ id: number }>).some(({ id }) => id === 220);
			if (isSilent) await clock.advance(deadline - clock.now());
			return isSilent ? new Refusal(0, 'noAnswer') : page;
		},
	);
	await clock.advance(20 * MINUTE);
	const came: unknown[] = [];
	for (let polls = 0; polls < 60; polls++) came.push(...(await poll()));
	expect(new Set(came).size).toBe(came.length);
	expect(came.length).toBeGreaterThan(700);
});
