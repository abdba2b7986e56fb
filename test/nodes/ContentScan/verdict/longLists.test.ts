import { Refusal } from '../support/fakeService';
import type { Sent } from '../support/fakeService';
import { finished, list, outcomesOf, running, SECOND, setUp, START } from '../support/fakeList';

describe('a lookup in a long list', () => {
	const pages = (count: number, at: (page: number) => object[]) => (sent: Sent) => {
		const page = Number(/page=(\d+)/.exec(sent.address ?? '')?.[1] ?? 0);
		const more = page < count - 1;
		return { results: at(page), has_more: more, next: more ? `https://x/?page=${page + 1}` : null };
	};

	it('follows the pages until every scan was seen', async () => {
		const reply = pages(9, (page) => [finished(page)]);
		const { clock, wait, service } = setUp(reply);
		await outcomesOf([wait('0'), wait('3')], clock);
		expect(service.sent.map(({ address }) => address)).toStrictEqual([
			undefined,
			'https://scan.example.com/api/v1/scans/list/?page=1',
			'https://scan.example.com/api/v1/scans/list/?page=2',
			'https://scan.example.com/api/v1/scans/list/?page=3',
		]);
	});

	it('ends after ten pages, and says that it did', async () => {
		const { clock, wait, service } = setUp(pages(1000, (page) => [finished(page)]));
		const [outcome] = await outcomesOf([wait('none', 1)], clock);
		expect(outcome).toMatchObject({
			value: { issue: { unseen: 'nothing', cutOff: true } },
		});
		expect(service.sent).toHaveLength(10);
	});

	it.each([100, 20])('takes at most a fifth of %d calls a minute', async (rate) => {
		const { clock, wait, service } = setUp(
			pages(5, (page) => [finished(page)]),
			rate,
		);
		await outcomesOf([wait('none', 600)], clock);
		expect(service.sent.length).toBeLessThanOrEqual((rate / 5) * 10 + 10);
	});

	it('takes at most a third of the calls where it needs more than a hundred', async () => {
		const scans = Array.from({ length: 12 }, (_, id) => ({
			id,
			listFrom: START - (id + 1) * 3600 * SECOND,
		}));
		// Each in a window of its own, on the last of ten pages.
		const { clock, wait, service } = setUp(({ call, address }) => {
			const query = address ? Object.fromEntries(new URL(address).searchParams) : call?.query;
			const { start, end, page = 0 } = query as Record<string, string | undefined>;
			if (end === undefined) return new Refusal(500);
			const found = scans.find(({ listFrom }) => listFrom === Number(start) * SECOND)!;
			if (Number(page) === 9) return list(running(found.id));
			const next = `https://x/?start=${start}&end=${end}&page=${Number(page) + 1}`;
			return { results: [], has_more: true, next };
		});
		const waits: Array<ReturnType<typeof wait>> = [];
		// One after the other, so that a lookup is always due.
		for (const { id, listFrom } of scans) {
			waits.push(wait(String(id), 1800, { listFrom, listTo: listFrom }));
			await clock.advance(10 * SECOND);
		}
		expect(await outcomesOf(waits, clock)).toMatchObject(
			scans.map(() => ({ value: { finished: false, issue: {} } })),
		);
		const lookups = service.sent.length / 120;
		expect(lookups).toBeGreaterThan(5);
		expect(lookups).toBeLessThan(10);
	});

	it('goes on for the parts of a scan, of which the last may be the worst', async () => {
		const part = (page: number) => ({
			...finished(100 + page, page === 2 ? 'MAL' : 'CLN'),
			root_scan_id: 7,
		});
		const { clock, wait } = setUp(pages(3, (page) => [part(page)]));
		const [outcome] = await outcomesOf([wait('7')], clock);
		expect(outcome).toMatchObject({ value: { record: { verbose_verdict: 'MAL' } } });
	});

	it('has no note for a scan that was seen, and has not finished', async () => {
		const { clock, wait } = setUp(
			pages(1000, (page) => [page === 0 ? running(0) : finished(page)]),
		);
		const [seen, unseen] = await outcomesOf([wait('0', 1), wait('none', 1)], clock);
		expect(seen).toMatchObject({ value: { finished: false } });
		expect(seen).toHaveProperty('value.issue', {});
		expect(unseen).toMatchObject({ value: { issue: { cutOff: true } } });
	});

	it('does not call a scan clean by its parts while a window goes on after them', async () => {
		const part = (page: number) => ({
			...finished(100 + page, page === 10 ? 'MAL' : 'CLN'),
			root_scan_id: 7,
		});
		const { clock, wait } = setUp(pages(11, (page) => [part(page)]));
		const [outcome] = await outcomesOf([wait('7', 60)], clock);
		expect(outcome).toMatchObject({
			value: {
				finished: false,
				issue: { unseen: 'parts', cutOff: true },
			},
		});
	});
});

describe('a list with more entries than the service gives at once', () => {
	/** An entry a second from an hour before to two hours after the start. */
	const listed = (second: number) => ({ ...finished(`scan ${second}`), second });
	const serving = (sent: Sent, refusal: Refusal) => {
		const { start = 0, end = Infinity } = sent.call?.query ?? {};
		const first = Number(start) - START / SECOND;
		const last = Math.min(Number(end) - START / SECOND, 7200);
		if (last - first > 1000) return refusal;
		const seconds = Array.from({ length: last - first + 1 }, (_, index) => first + index);
		return list(...seconds.map(listed));
	};

	/** Lengths of the windows asked for, in seconds. */
	const lengths = (sent: Sent[]) =>
		sent.map(({ call }) => {
			const { start, end } = call?.query ?? {};
			return end === undefined ? undefined : Number(end) - Number(start);
		});

	it.each([
		...[400, 413, 414, 422, 500, 502, 503, 504].map((status) => new Refusal(status)),
		new Refusal(200, 'answerTooLarge'),
		new Refusal(200, 'answerTooSlow'),
		new Refusal(200, 'answerCut'),
		new Refusal(200, 'toldError'),
		new Refusal(0, 'noAnswer'),
	])('is read in shorter windows after %p, until all scans are found', async (refusal) => {
		const { clock, wait } = setUp((sent) => serving(sent, refusal));
		const waits = [0, 400, 800, 3000].map(
			async (second) => await wait(`scan ${second}`, 900, { listFrom: START + second * SECOND }),
		);
		const outcomes = await outcomesOf(waits, clock);
		expect(outcomes).toMatchObject(waits.map(() => ({ value: { finished: true } })));
		expect(clock.now()).toBeLessThan(START + 60 * SECOND);
	});

	it('is read in shorter windows up to when the scan was accepted, though that took long', async () => {
		const { clock, wait } = setUp((sent) => serving(sent, new Refusal(500)));
		const place = { listFrom: START - 600 * SECOND, listTo: START + 600 * SECOND };
		const outcomes = await outcomesOf([wait('scan 0', 900, place)], clock);
		expect(outcomes).toMatchObject([{ value: { finished: true, record: { second: 0 } } }]);
	});

	it.each([
		['is refused', 0, new Refusal(500), '(500)'],
		['is never answered', 60, new Refusal(0, 'noAnswer'), '(0)'],
	])('gives the other verdicts where one stretch of it %s', async (_, seconds, refusal, told) => {
		const { clock, wait } = setUp(async (sent) => {
			const { start = 0, end = Infinity } = sent.call?.query ?? {};
			const isBroken = Number(start) <= START / SECOND + 60 && Number(end) >= START / SECOND + 60;
			if (!isBroken) return serving(sent, new Refusal(500));
			await clock.sleep(Math.min(seconds * SECOND, sent.context.answerWithinMs!));
			return refusal;
		});
		const waits = [0, 3000].map(
			async (second) => await wait(`scan ${second}`, 600, { listFrom: START + second * SECOND }),
		);
		expect(await outcomesOf(waits, clock)).toMatchObject([
			{ value: { finished: false, issue: { failure: expect.stringContaining(told) } } },
			{ value: { finished: true } },
		]);
	});

	it('ends the wait where the service refuses the shortest window too, for five minutes', async () => {
		const { clock, wait, service } = setUp(() => new Refusal(400));
		const [outcome] = await outcomesOf([wait('1', 900)], clock);
		expect(outcome).toMatchObject({ reason: { httpCode: '400' } });
		expect(service.sent.at(-1)?.call?.purpose).toBe('get the scan');
		const windows = lengths(service.sent).slice(0, 10);
		expect(windows).toStrictEqual([undefined, 900, 450, 225, 112, 112, 60, 60, 60, 60]);
		expect(clock.now()).toBeLessThan(START + 360 * SECOND);
	});

	it('is read in longer windows again where a lookup has no time for so many', async () => {
		const ids = Array.from({ length: 40 }, (_, id) => id);
		const [silentUntil, finishedAt] = [600, 2400].map((second) => START + second * SECOND);
		const { clock, wait } = setUp(async (sent, now) => {
			const left = Math.min(sent.context.answerWithinMs!, sent.context.deadline! - now);
			const takes = now < silentUntil ? Infinity : 15 * SECOND;
			await clock.sleep(Math.min(takes, left));
			if (takes > left) return new Refusal(0, 'noAnswer');
			const { start = 0, end = Infinity } = sent.call?.query ?? {};
			const created = (id: number) => START / SECOND + id * 180;
			const shown = ids.filter((id) => created(id) >= Number(start) && created(id) <= Number(end));
			return list(...shown.map((id) => (now < finishedAt ? running(id) : finished(id))));
		});
		const told: number[] = [];
		const waits = ids.map(async (id) => {
			const listFrom = START + id * 180 * SECOND;
			const outcome = await wait(String(id), 3600, { listFrom, listTo: listFrom });
			told.push((clock.now() - finishedAt) / SECOND);
			return outcome;
		});
		expect(await outcomesOf(waits, clock)).toMatchObject(
			ids.map(() => ({ value: { finished: true } })),
		);
		expect(Math.max(...told)).toBeLessThan(150);
	});

	it('is read in shorter windows also where the refusals take up the time of a lookup', async () => {
		const { clock, wait } = setUp(async (sent) => {
			const { start = 0, end = Infinity } = sent.call?.query ?? {};
			const isTooLong = Number(end) - Number(start) > 250;
			await clock.sleep((isTooLong ? 50 : 0.3) * SECOND);
			return isTooLong ? new Refusal(504) : serving(sent, new Refusal(504));
		});
		const waits = Array.from({ length: 24 }, async (_, id) => {
			const listFrom = START + id * 300 * SECOND;
			return await wait(`scan ${id * 300}`, 1800, { listFrom, listTo: listFrom });
		});
		expect(await outcomesOf(waits, clock)).toMatchObject(
			waits.map(() => ({ value: { finished: true } })),
		);
	});

	it.each([403, 429])(
		'stays in shorter windows after a %d, which says nothing of them',
		async (status) => {
			const refusedAt = START + 60 * SECOND;
			let refused = 0;
			const { clock, wait, service } = setUp((sent, now) => {
				const { start = 0, end = Infinity } = sent.call?.query ?? {};
				if (Number(end) - Number(start) > 250) return new Refusal(500);
				return now > refusedAt && ++refused < 4 ? new Refusal(status) : list(running(1));
			});
			await outcomesOf([wait('1', 240)], clock);
			const listed = service.sent.filter(({ call }) => call?.purpose !== 'get the scan');
			expect(lengths(listed).slice(0, 4)).toStrictEqual([undefined, 900, 450, 225]);
			expect(new Set(lengths(listed).slice(4))).toStrictEqual(new Set([225]));
		},
	);

	it('is read in one window again once nothing waits', async () => {
		let failing = true;
		const { clock, wait, service } = setUp(() => {
			if (!failing) return list(finished(1), finished(2));
			failing = false;
			return new Refusal(503);
		});
		await outcomesOf([wait('1')], clock);
		await outcomesOf([wait('2')], clock);
		expect(lengths(service.sent)).toStrictEqual([undefined, 900, undefined]);
	});

	/** A service that fails for two minutes, and then lists what was created in the window asked for. */
	const afterOutage = (status: number, created: number, record: () => object) => {
		return ({ call }: Sent, now: number) => {
			if (now < START + 120 * SECOND) return new Refusal(status);
			if (call?.purpose === 'get the scan') return new Refusal(404);
			const { end = Infinity } = call?.query ?? {};
			const isListed = now >= START + created * SECOND && Number(end) >= START / SECOND + created;
			return isListed ? list(record()) : list();
		};
	};

	it.each([500, 502, 503, 504])(
		'shows a scan that was noted as created minutes after its submission, though it gave %d before',
		async (status) => {
			const { clock, wait } = setUp(afterOutage(status, 400, () => finished(1, 'MAL')));
			const [outcome] = await outcomesOf([wait('1', 900)], clock);
			expect(outcome).toMatchObject({
				value: { finished: true, record: { verbose_verdict: 'MAL' } },
			});
		},
	);

	it('is read in windows twice as long again each minute in which they do not show a scan', async () => {
		const { clock, wait, service } = setUp(afterOutage(503, 2000, () => finished(1)));
		await outcomesOf([wait('1', 900)], clock);
		const listed = service.sent.filter(({ call }) => call?.purpose !== 'get the scan');
		const all = lengths(listed);
		const grown = new Set(all.slice(all.lastIndexOf(60)));
		expect([...grown]).toStrictEqual([60, 120, 240, 480, undefined]);
	});

	it('stays in short windows for five minutes while they show all scans', async () => {
		const { clock, wait, service } = setUp(afterOutage(503, 10, () => running(1)));
		await outcomesOf([wait('1', 380)], clock);
		expect(lengths(service.sent).at(-1)).toBe(60);
	});

	it('is read in one window again in the end, though somebody always waits', async () => {
		const { clock, wait, service } = setUp(afterOutage(503, 10, () => running(1)));
		await outcomesOf([wait('1', 2400)], clock);
		expect(lengths(service.sent).at(-1)).toBeUndefined();
	});

	it('where long windows are always refused, tries them every five minutes', async () => {
		const { clock, wait, service } = setUp(({ call }) => {
			const { start, end = Infinity } = call?.query ?? {};
			return Number(end) - Number(start) > 200 ? new Refusal(500) : list(running(1));
		});
		await outcomesOf([wait('1', 3600)], clock);
		const all = lengths(service.sent.filter(({ call }) => call?.purpose !== 'get the scan'));
		const refused = all.filter((length) => (length ?? Infinity) > 200);
		expect(refused.length).toBeGreaterThan(5);
		expect(refused.length).toBeLessThanOrEqual(15);
	});

	it('does not hide later scans behind one that never finishes', async () => {
		const entries = Array.from({ length: 5000 }, (_, second) =>
			second === 0 ? { ...listed(0), finished_at: null } : listed(second),
		);
		const page = (sent: Sent): object => {
			const address = new URL(sent.address ?? 'https://x/');
			const query = sent.call?.query ?? Object.fromEntries(address.searchParams);
			const from = Number(query.from ?? Number(query.start) - START / SECOND);
			const end = Number(query.end ?? Infinity);
			const rest = entries.slice(from).filter(({ second }) => second <= end - START / SECOND);
			const more = rest.length > 100;
			const next = `https://x/?from=${from + 100}${end === Infinity ? '' : `&end=${end}`}`;
			return { results: rest.slice(0, 100), has_more: more, next: more ? next : null };
		};
		const { clock, wait } = setUp(page);
		const waitFor = async (second: number) =>
			await wait(`scan ${second}`, 600, { listFrom: START + second * SECOND });
		const outcomes = await outcomesOf([waitFor(0), waitFor(4000)], clock);
		expect(outcomes).toMatchObject([
			{ value: { finished: false, record: { second: 0 } } },
			{ value: { finished: true, record: { second: 4000 } } },
		]);
	});
});
