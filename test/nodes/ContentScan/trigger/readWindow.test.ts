import { listBudget } from '../../../../services/scanning/listBudget';
import { readWindow } from '../../../../nodes/ContentScan/trigger/readWindow';
import type { FeedReading } from '../../../../nodes/ContentScan/trigger/reading/feedReading';
import type { ListWindow } from '../../../../nodes/ContentScan/trigger/reading/listWindow';
import { FakeClock } from '../../../support/fakeClock.cts';
import { FakeService, Refusal, scanService } from '../support/fakeService';
import { unread } from './support/unread';

const reading = { isSettled: () => true, believesCount: true } as unknown as FeedReading;

const second = (start: number): ListWindow => ({
	...{ start, end: start + 1 },
	...{ kind: 'new', showsNew: true },
});

/** A list of which each call gets one page more, until no more calls are allowed. */
function setUp(refusal = new Refusal(429, 'rateLimited')) {
	let left = 0;
	const service = new FakeService(({ call, address }) => {
		if (left-- <= 0) return refusal;
		const at = Number(address ? new URL(address).searchParams.get('at') : 0);
		const start = Number(call?.query?.start ?? new URL(String(address)).searchParams.get('start'));
		return { results: [{ id: `${start} ${at}` }], next: `?start=${start}&at=${at + 1}` };
	});
	const clock = new FakeClock();
	const scans = scanService(service);
	const list = {
		...{ scans, clock, budget: listBudget(scans, 'trigger', clock, new Map()), filters: {} },
		...{ deadline: clock.now() + 60_000, ...unread() },
	};
	/** @returns Where the reading began: before that, so many pages were read. */
	const read = async (start: number, calls: number) => {
		left = calls;
		service.sent.length = 0;
		await readWindow(list, second(start), reading);
		const [{ address }] = service.sent;
		return address ? Number(new URL(address).searchParams.get('at')) : 0;
	};
	return { read, list };
}

it.each([
	['no more calls are allowed', new Refusal(429, 'rateLimited')],
	['its time is over', new Refusal(0, 'noAnswer')],
	['the service fails', new Refusal(500)],
])('seconds that are read in turns are each read on where %s', async (_, refusal) => {
	const { read } = setUp(refusal);
	for (const start of [10, 20, 30, 40]) expect(await read(start, 2)).toBe(0);
	for (const start of [10, 20, 30, 40]) expect(await read(start, 2)).toBe(2);
});

it('of more than four, the one that was read longest ago is read anew', async () => {
	const { read } = setUp();
	for (const start of [10, 20, 30, 40, 50]) await read(start, 2);
	expect(await read(50, 2)).toBe(2);
	expect(await read(20, 2)).toBe(2);
	expect(await read(10, 2)).toBe(0);
});

it('one whose next page never comes is read anew', async () => {
	const { read } = setUp();
	await read(10, 2);
	const began: number[] = [];
	for (let polls = 0; polls < 11; polls++) began.push(await read(10, 0));
	expect(began.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 2));
	expect(began.at(-1)).toBe(0);
});

it('of pages that hold tens of thousands of records, one is enough', async () => {
	const { list } = setUp();
	const many = new FakeService(({ address = '' }) => ({
		results: Array.from({ length: 20_000 }, (_, id) => ({ id: `${address} ${id}` })),
		next: `?at=${address.length}`,
	}));
	const { calls, content } = await readWindow(
		{ ...list, scans: scanService(many) },
		second(10),
		reading,
	);
	expect(calls).toBe(1);
	expect(content?.end).toBe('tooMany');
});

it.each([
	['a call', {}, {}, 5000],
	['a call that looks again at what was refused', { kind: 'gap' }, {}, 0],
	['a probe', { kind: 'probe' }, {}, 0],
	['a call in an outage that has lasted for minutes', {}, { unreadOrSoughtMs: 300_000 }, 0],
] as const)('%s may be repeated for so long', async (_, ofWindow, ofList, forMs) => {
	const service = new FakeService(() => ({ results: [], next: null }));
	const clock = new FakeClock();
	const scans = scanService(service);
	const list = {
		...{ scans, clock, budget: listBudget(scans, 'trigger', clock, new Map()), filters: {} },
		...{ deadline: clock.now() + 60_000, ...unread(), ...ofList },
	};
	await readWindow(list, { ...second(10), ...ofWindow }, reading);
	expect(service.sent[0].context.repeatsForMs).toBe(forMs);
});
