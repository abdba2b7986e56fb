import { listBudget } from '../../../../services/scanning/listBudget';
import { readList } from '../../../../nodes/ContentScan/trigger/readList';
import { FeedReading } from '../../../../nodes/ContentScan/trigger/reading/feedReading';
import { PollTime } from '../../../../nodes/ContentScan/trigger/reading/pollTime';
import { freshState } from '../../../../nodes/ContentScan/trigger/reading/feedState';
import { FakeClock } from '../../../support/fakeClock.cts';
import { FakeService, Refusal, scanService } from '../support/fakeService';
import { watchedForAnHour } from './support/feedSettings';

const MINUTE = 60_000;
const PAGE = 100;

const settings = { ...watchedForAnHour, tellsUnfinished: false };

interface Asked {
	start: number;
	end: number;
	at: number;
}

/** A trigger on a list of malicious scans, one each so many seconds, and what the list answers to a window. */
function trigger(
	{ scans: length, every }: { scans: number; every: number },
	answer: (inWindow: object[], asked: Asked) => unknown,
) {
	const clock = new FakeClock();
	const begun = clock.now() / 1000;
	const all = Array.from({ length }, (_, id) => {
		const time = new Date((begun + every * id) * 1000).toISOString();
		return { id, created_at: time, finished_at: time, verbose_verdict: 'MAL' };
	});
	const service = new FakeService(
		({ call, address }) => {
			const query = address ? Object.fromEntries(new URL(address).searchParams) : call?.query;
			const { start, end, at = 0 } = query as unknown as Asked;
			const latest = Math.min(Number(end), clock.now() / 1000);
			const inWindow = all.filter(({ id }) => {
				const created = begun + every * id;
				return created >= Number(start) && created <= latest;
			});
			return answer(inWindow, { start, end, at: Number(at) });
		},
		() => new Date(clock.now()).toUTCString(),
	);
	const scans = scanService(service);
	const budget = listBudget(scans, clock, new Map());
	let state = freshState('here', begun);
	const poll = async () => {
		await clock.advance(MINUTE);
		const reading = new FeedReading(state, settings, new PollTime(Math.floor(clock.now() / 1000)));
		const deadline = clock.now() + MINUTE;
		await readList({ scans, budget, filters: {}, clock, deadline }, reading);
		state = JSON.parse(JSON.stringify(reading.result().state));
		return reading.result().events.map(({ record }) => record?.id);
	};
	return { clock, poll };
}

function pageOf(listed: object[], { start, end, at }: Asked) {
	const after = at + PAGE;
	const next = listed.length > after ? `?start=${start}&end=${end}&at=${after}` : null;
	return { results: listed.slice(at, after), next };
}

it('polls that each get two calls deliver what a window of more pages holds, though each is ended by a 429', async () => {
	let left = 0;
	const { clock, poll } = trigger({ scans: 600, every: 1 }, (inWindow, asked) =>
		left-- <= 0 ? new Refusal(429, 'rateLimited') : pageOf(inWindow, asked),
	);
	await clock.advance(10 * MINUTE);
	const came = new Set<unknown>();
	for (let polls = 0; polls < 15; polls++) {
		left = 2;
		for (const id of await poll()) came.add(id);
	}
	expect(came.size).toBe(600);
});

it('a count that is an estimate, now too high and now too low, keeps no scan back', async () => {
	let turn = 0;
	const { poll } = trigger({ scans: 900, every: 2 }, (results) => {
		return { results, count: Math.round(results.length * [1.5, 1.2, 0.7][turn++ % 3]) };
	});
	const came: unknown[] = [];
	for (let polls = 0; polls < 35; polls++) came.push(...(await poll()));
	expect(came).toEqual(Array.from({ length: 900 }, (_, id) => id));
});

// Without a count, some may be lost by chance (docs/content-scan.md); here a page that leaves scans out repeats others.
it.each([true, false])(
	'pages in another order each time lose no scan (count told: %p)',
	async (isTold) => {
		let turn = 0;
		const { clock, poll } = trigger({ scans: 1200, every: 3 }, (inWindow, asked) => {
			const { length } = inWindow;
			const shift = (++turn * 7919) % Math.max(1, length);
			const ordered = inWindow.map((_, place) => inWindow[(place * 37 + shift) % length]);
			return { ...pageOf(ordered, asked), ...(isTold && { count: length }) };
		});
		await clock.advance(60 * MINUTE);
		const came: unknown[] = [];
		for (let polls = 0; polls < 90; polls++) came.push(...(await poll()));
		expect(came).toHaveLength(1200);
		expect(new Set(came).size).toBe(1200);
	},
);
