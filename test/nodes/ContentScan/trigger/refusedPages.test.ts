import { Refusal } from '../support/fakeService';
import type { Asked } from './support/timedTrigger';
import { MINUTE, pageOf, trigger } from './support/timedTrigger';

it.each([403, 404, 302, 500])(
	'a scan that a gateway never lets through (%p) holds up no other',
	async (status) => {
		const { clock, poll } = trigger({ scans: 60, every: 12 }, (inWindow, asked) => {
			const page = pageOf(inWindow, asked, asked.limit);
			const isBlocked = (page.results as Array<{ id: number }>).some(({ id }) => id === 20);
			return isBlocked ? new Refusal(status) : page;
		});
		await clock.advance(30 * MINUTE);
		const came: unknown[] = [];
		for (let polls = 0; polls < 30; polls++) came.push(...(await poll()));
		expect(new Set(came).size).toBe(59);
		expect(came).toHaveLength(59);
	},
);

it.each([403, 500])(
	'of a second with such a scan (%p), the pages before it are delivered, and the seconds after it at once',
	async (status) => {
		const { clock, poll } = trigger({ scans: 90, every: 0.034 }, (inWindow, asked) => {
			const page = pageOf(inWindow, asked, 10);
			const isBlocked = (page.results as Array<{ id: number }>).some(({ id }) => id === 45);
			return isBlocked ? new Refusal(status) : page;
		});
		await clock.advance(30 * MINUTE);
		const came: unknown[] = [];
		for (let polls = 0; polls < 12; polls++) came.push(...(await poll()));
		expect(new Set(came).size).toBe(came.length);
		expect(came.length).toBeGreaterThanOrEqual(70);
	},
);

it.each([413, 500, 502, 403])(
	'scans that are too large for a gateway, which answers %p, are read in smaller pages',
	async (status) => {
		const { clock, poll } = trigger({ scans: 60, every: 0.01 }, (inWindow, asked) =>
			Math.min(asked.limit, inWindow.length) > 30
				? new Refusal(status)
				: pageOf(inWindow, asked, asked.limit),
		);
		await clock.advance(20 * MINUTE);
		const came: unknown[] = [];
		for (let polls = 0; polls < 30; polls++) came.push(...(await poll()));
		expect(came).toHaveLength(60);
	},
);

it.each([400, 422, 500, 403])(
	'a service that refuses pages of a hundred (%p), however little they hold, is read in smaller ones',
	async (status) => {
		const { poll } = trigger({ scans: 240, every: 30 }, (inWindow, asked) =>
			asked.limit > 50 ? new Refusal(status) : pageOf(inWindow, asked, asked.limit),
		);
		const came: unknown[] = [];
		for (let polls = 0; polls < 122; polls++) came.push(...(await poll()));
		expect(new Set(came).size).toBe(came.length);
		expect(came.length).toBeGreaterThan(230);
	},
);

it('a second whose pages are too large is read in smaller ones', async () => {
	const answer = (inWindow: object[], asked: Asked) =>
		asked.limit > 10 && inWindow.length > 0
			? new Refusal(200, 'answerTooLarge')
			: pageOf(inWindow, asked, 10);
	const options = { callsPerMinute: 10_000 };
	const { clock, poll } = trigger({ scans: 900, every: 0.001 }, answer, options);
	await clock.advance(20 * MINUTE);
	expect([...(await poll()), ...(await poll())]).toHaveLength(900);
});
