import { testEventEntries } from '../../../../nodes/ConsoleAuditLog/trigger/testEventEntries';
import type { ServiceHabits } from '../support/modelLog';
import { ModelLog, PLAIN_HABITS } from '../support/modelLog';
import { ModelService } from '../support/modelService';
import { active, entry, MINUTE } from '../support/triggerOnLog';

const NOW = Date.UTC(2026, 2, 1);
const DAY = 24 * 3_600_000;

/** Entries at these milliseconds before now. */
function search(
	ages: number[],
	habits: Partial<ServiceHabits> = {},
	{ dated = true, pageSize = undefined as number | undefined } = {},
) {
	const entries = ages.map((age, number) => ({
		time: NOW - age,
		appearsAt: 0,
		entry: { auditlogId: `e${number}`, ...(dated && { createdAt: NOW - age }) },
	}));
	const service = new ModelService(new ModelLog(entries, { ...PLAIN_HABITS, ...habits }), NOW);
	const find = async () => {
		const newest = await testEventEntries(
			service,
			{ idField: 'auditlogId', timestampField: 'createdAt', pageSize },
			{ deadline: Infinity, clock: service.clock },
		);
		return newest.map((entry) => (entry as { auditlogId: string }).auditlogId);
	};
	return { service, find };
}

const spread = (count: number, gap: number, first = 0) =>
	Array.from({ length: count }, (_, number) => first + (count - 1 - number) * gap);

const nights = spread(60, 1, 1);

const lastTen = (count: number) =>
	Array.from({ length: 10 }, (_, number) => `e${count - 10 + number}`);

describe.each(['null', 'token'] as const)('the newest entries, end of log %s', (end) => {
	test.each([
		['a quiet log', spread(40, 3_600_000)],
		['a busy log', spread(50_000, 60)],
		['a log of a year', spread(365, DAY)],
		['a log that was silent for a month', spread(500, 1000, 30 * DAY)],
		['a burst a moment ago', [...spread(500, 60_000, 5000), ...spread(900, 1, 3)]],
		['few entries behind a burst', [...spread(900, 0, DAY), ...spread(9, 1000)]],
		['entries dated ahead', spread(60, 1000, -30_000)],
		['a great burst, then a month of silence', spread(5000, 1, 30 * DAY)],
		['a few entries long after a burst', [...spread(5000, 1, 30 * DAY), ...spread(5, 5 * DAY)]],
		['a night job every day', nights.flatMap((night) => spread(3000, 2, night * DAY))],
		['a weekend off', spread(80_000, 3000, 2.5 * DAY)],
	])('%s', async (_, ages) => {
		const { service, find } = search(ages, { end });
		expect(await find()).toEqual(lastTen(ages.length));
		expect(service.queries.length).toBeLessThanOrEqual(50);
	});

	test('all there are, where there are fewer', async () => {
		expect(await search(spread(3, DAY), { end }).find()).toEqual(['e0', 'e1', 'e2']);
		const empty = search([], { end });
		expect(await empty.find()).toEqual([]);
		expect(empty.service.queries.length).toBeLessThanOrEqual(50);
	});

	test('the newest that were reached, where 20,000 share the last moment', async () => {
		const { service, find } = search(spread(20_000, 0, 60_000), { end });
		expect(await find()).toHaveLength(10);
		expect(service.queries.length).toBeLessThanOrEqual(50);
	});

	test('where entries have no time of their own', async () => {
		const { service, find } = search(spread(50_000, 60), { end }, { dated: false });
		expect(await find()).toEqual(lastTen(50_000));
		expect(service.queries.length).toBeLessThanOrEqual(50);
	});

	test.each([10, 50, 1000])('with pages of %d, as the user set', async (pageSize) => {
		const { service, find } = search(spread(900, 1000), { end, maxLimit: pageSize }, { pageSize });
		expect(await find()).toEqual(lastTen(900));
		const [, ...pages] = service.queries;
		expect(pages.every(({ limit }) => limit === pageSize)).toBe(true);
		expect(service.queries.length).toBeLessThanOrEqual(50);
	});

	test('with a service that delivers less than asked for', async () => {
		const { service, find } = search(spread(700, 100), { end, maxLimit: 20, overMax: 'cap' });
		expect(await find()).toEqual(lastTen(700));
		expect(service.queries.length).toBeLessThanOrEqual(50);
	});
});

describe('Fetch Test Event', () => {
	test('shows the ten newest entries and changes nothing', async () => {
		const log = Array.from({ length: 300 }, (_, number) => entry(`e${number}`, number * 1000));
		const { console, trigger } = active(log, { startFrom: 'now' }, 10 * MINUTE);
		trigger.mode = 'manual';
		expect(await trigger.ids()).toEqual(
			Array.from({ length: 10 }, (_, number) => `e${299 - number}`),
		);
		expect(trigger.staticData).toEqual({});
		expect(console.urls.length).toBeLessThanOrEqual(50);
	});

	test('says that there is none', async () => {
		const { trigger } = active([], {});
		trigger.mode = 'manual';
		expect(await trigger.poll()).toBeNull();
	});
});
