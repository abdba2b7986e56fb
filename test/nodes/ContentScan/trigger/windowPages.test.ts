import { listBudget } from '../../../../services/scanning/listBudget';
import { BegunWindows } from '../../../../nodes/ContentScan/trigger/begunWindows';
import { readList } from '../../../../nodes/ContentScan/trigger/readList';
import { FeedReading } from '../../../../nodes/ContentScan/trigger/reading/feedReading';
import { PollTime } from '../../../../nodes/ContentScan/trigger/reading/pollTime';
import { freshState } from '../../../../nodes/ContentScan/trigger/reading/feedState';
import type { CallContext } from '../../../../transport/call';
import { FakeClock } from '../../../support/fakeClock.cts';
import { FakeService, Refusal, scanService } from '../support/fakeService';
import { watchedForAnHour } from './support/feedSettings';

const MINUTE = 60_000;
const PAGE = 100;

const settings = { ...watchedForAnHour, tellsUnfinished: false, maxScans: 2000 };

interface Asked {
	start: number;
	end: number;
	limit: number;
	/** Records before the page. */
	at: number;
	of?: string;
}

/** A trigger on a list of malicious scans, one each so many seconds, and what the list answers to a window. */
function trigger(
	{ scans: length, every }: { scans: number; every: number },
	answer: (inWindow: object[], asked: Asked, context: CallContext) => unknown,
	{ tellsTime = true, callsPerMinute = 100 } = {},
) {
	const clock = new FakeClock();
	const start = clock.now() / 1000;
	const all = Array.from({ length }, (_, id) => {
		const time = new Date((start + every * id) * 1000).toISOString();
		return { id, created_at: time, finished_at: time, verbose_verdict: 'MAL' };
	});
	const service = new FakeService(
		({ call, address, context }) => {
			const query = address ? Object.fromEntries(new URL(address).searchParams) : call?.query;
			const asked = query as unknown as Asked;
			const latest = Math.min(Number(asked.end), clock.now() / 1000);
			const inWindow = all.filter(({ id }) => {
				const created = start + every * id;
				return created >= Number(asked.start) && created <= latest;
			});
			return answer(inWindow, { ...asked, at: Number(asked.at ?? 0) }, context);
		},
		() => (tellsTime ? new Date(clock.now()).toUTCString() : undefined),
	);
	const scans = scanService(service, {}, callsPerMinute);
	const budget = listBudget(scans, 'trigger', clock, new Map());
	let state = freshState('here', start);
	const begun = new BegunWindows();
	const found = { tookWithoutEnd: false };
	const poll = async (after = MINUTE) => {
		await clock.advance(after);
		const reading = new FeedReading(state, settings, new PollTime(Math.floor(clock.now() / 1000)));
		const deadline = clock.now() + MINUTE;
		const list = { scans, budget, filters: {}, clock, deadline, begun, lastReadMs: after };
		await readList(list, reading);
		found.tookWithoutEnd ||= reading.tookWithoutEnd;
		state = JSON.parse(JSON.stringify(reading.result().state));
		return reading.result().events.map(({ record }) => record?.id);
	};
	return { clock, poll, found, service, budget, begun };
}

function pageOf(listed: object[], { start, end, at }: Asked, size = PAGE) {
	const after = at + size;
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

it('a second with more scans than a poll has calls for is read on by the next ones', async () => {
	let left = 0;
	const { clock, poll } = trigger({ scans: 900, every: 0.001 }, (inWindow, asked) =>
		left-- <= 0 ? new Refusal(429, 'rateLimited') : pageOf(inWindow, asked),
	);
	await clock.advance(20 * MINUTE);
	const came: unknown[] = [];
	for (let polls = 0; polls < 15; polls++) {
		left = 2;
		came.push(...(await poll()));
	}
	expect(came).toHaveLength(900);
	expect(new Set(came).size).toBe(900);
});

it('so it is where many polls were broken off before that, which says nothing of its pages', async () => {
	let left = 0;
	const { poll, found } = trigger({ scans: 900, every: 0.001 }, (inWindow, asked) =>
		left-- <= 0 ? new Refusal(429, 'rateLimited') : pageOf(inWindow, asked),
	);
	const came = new Set<unknown>();
	for (let polls = 0; polls < 90; polls++) {
		left = 2;
		for (const id of await poll(MINUTE / 6)) came.add(id);
	}
	expect(came.size).toBe(900);
	expect(found.tookWithoutEnd).toBe(false);
});

it('a scan that is listed late in such a second, on a page that was read, comes too', async () => {
	let left = 0;
	const lateId = 50;
	const answer = (inWindow: object[], { start, end, at }: Asked) => {
		if (left-- <= 0) return new Refusal(429, 'rateLimited');
		const isListed = (id: number) => id !== lateId || clock.now() >= listedAt;
		// The next page begins behind a scan, not behind a number of scans.
		const listed = (inWindow as Array<{ id: number }>).filter(({ id }) => id >= at && isListed(id));
		const next = listed.at(PAGE) && `?start=${start}&end=${end}&at=${listed[PAGE].id}`;
		return { results: listed.slice(0, PAGE), next };
	};
	const { clock, poll } = trigger({ scans: 950, every: 0.001 }, answer, { tellsTime: false });
	const listedAt = clock.now() + 9.5 * MINUTE;
	const came = new Set<unknown>();
	for (let polls = 0; polls < 30; polls++) {
		left = polls < 6 ? 2 : 1;
		for (const id of await poll()) came.add(id);
	}
	expect(came.size).toBe(950);
});

it.each([400, 404, 410])(
	'a second is read anew where its next page is gone (%p)',
	async (status) => {
		let left = 0;
		let known = 0;
		const { clock, poll } = trigger({ scans: 900, every: 0.001 }, (inWindow, asked) => {
			if (left-- <= 0) return new Refusal(429, 'rateLimited');
			if (asked.at > 0 && Number(asked.of) !== known) return new Refusal(status);
			const { results, next } = pageOf(inWindow, asked);
			return { results, next: next && `${next}&of=${known}` };
		});
		await clock.advance(20 * MINUTE);
		const came: unknown[] = [];
		for (let polls = 0; polls < 8; polls++) {
			left = 2;
			came.push(...(await poll()));
		}

		left = 20;
		known += 1;
		came.push(...(await poll()));
		expect(came).toHaveLength(900);
	},
);

it.each([
	[2, 500],
	[2, 502],
	[1, 403],
	[1, 404],
])(
	'%p times %p to a page of an earlier poll does not make a second one that must be read at once',
	async (times, status) => {
		let left = 0;
		let refused = 0;
		let polls = 0;
		const { clock, poll, found } = trigger({ scans: 900, every: 0.001 }, (inWindow, asked) => {
			if (left-- <= 0) return new Refusal(429, 'rateLimited');
			const isFirst = left === 1 && asked.at > 0;
			const isItsTurn = refused < times && polls >= 5 * refused;
			if (!isFirst || !isItsTurn) return pageOf(inWindow, asked);
			refused += 1;
			return new Refusal(status);
		});
		await clock.advance(20 * MINUTE);
		const came = new Set<unknown>();
		for (; polls < 45; polls++) {
			left = 2;
			for (const id of await poll()) came.add(id);
		}
		expect(refused).toBe(times);
		expect(came.size).toBe(900);
		expect(found.tookWithoutEnd).toBe(false);
	},
);

it('a second is read on in each poll, before its pages are gone, though others used up the calls', async () => {
	let left = 0;
	const { clock, poll, budget, begun } = trigger(
		{ scans: 900, every: 0.001 },
		(inWindow, asked) => {
			if (left-- <= 0) return new Refusal(429, 'rateLimited');
			const isGone = asked.at > 0 && clock.now() > Number(asked.of) + 2 * MINUTE;
			const { results, next } = pageOf(inWindow, asked);
			return isGone ? new Refusal(404) : { results, next: next && `${next}&of=${clock.now()}` };
		},
	);
	await clock.advance(20 * MINUTE);
	const came = new Set<unknown>();
	let isBusy = false;
	for (let polls = 0; polls < 30; polls++) {
		left = 2;
		isBusy ||= begun.holdsPages;
		for (let calls = 0; isBusy && calls < 200; calls++) budget.spend();
		for (const id of await poll()) came.add(id);
	}
	expect(came.size).toBe(900);
});

it('a second that no poll can read alone, with pages that are gone by the next, is passed in the end', async () => {
	let left = 0;
	let known = 0;
	const { clock, poll, found } = trigger({ scans: 900, every: 0.001 }, (inWindow, asked) => {
		if (left-- <= 0) return new Refusal(429, 'rateLimited');
		if (asked.at > 0 && Number(asked.of) !== known) return new Refusal(404);
		const { results, next } = pageOf(inWindow, asked);
		return { results, next: next && `${next}&of=${known}` };
	});
	await clock.advance(20 * MINUTE);
	const came: unknown[] = [];
	for (known = 0; known < 45; known++) {
		left = 3;
		came.push(...(await poll()));
	}
	expect(found.tookWithoutEnd).toBe(true);
	expect(new Set(came).size).toBe(came.length);
});

it('the scans of a second are not held beyond 32 MB', async () => {
	let pages = 0;
	const { clock, poll, service } = trigger({ scans: 900, every: 0.001 }, (inWindow, asked) => {
		pages = asked.at > 0 ? pages + 1 : 1;
		most = Math.max(most, pages);
		return pageOf(inWindow, asked, 10);
	});
	let most = 0;
	service.bytesOf = () => 5 * 1024 * 1024;
	await clock.advance(20 * MINUTE);
	for (let polls = 0; polls < 15; polls++) await poll();
	expect(most).toBe(7);
});

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
	const { clock, poll } = trigger(
		{ scans: 60, every: 60 },
		async (inWindow, asked, { answerWithinMs = 0 }) => {
			const isSilent = (inWindow as Array<{ id: number }>).some(({ id }) => id % 15 === 14);
			await clock.advance(isSilent ? answerWithinMs : 200);
			return isSilent ? new Refusal(0, 'noAnswer') : pageOf(inWindow, asked);
		},
		{ callsPerMinute: 1000 },
	);
	let latest = 0;
	const came = new Set<unknown>();
	for (let minute = 1; minute <= 80; minute++) {
		for (const id of await poll(MINUTE - (clock.now() % MINUTE))) {
			came.add(id);
			latest = Math.max(latest, minute - Number(id));
		}
	}
	expect(came.size).toBe(56);
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

it('a poll that comes once in an hour may make the calls of an hour', async () => {
	const { poll } = trigger({ scans: 1900, every: 1 }, (listed, asked) => pageOf(listed, asked));
	expect(await poll(60 * MINUTE)).toHaveLength(1900);
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
