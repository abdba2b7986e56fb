import fc from 'fast-check';
import { newestEntries } from '../../../services/console/newestEntries';
import { KEPT_MS, USUAL_FIELDS } from '../../../services/console/auditLogEntry';
import type { PageCall } from '../../../services/console/auditLogPage';
import { ModelLog, PLAIN_HABITS } from '../../nodes/ConsoleAuditLog/support/modelLog';
import { propertyRuns } from '../../support/propertyRuns.cts';

const NOW = Date.UTC(2026, 2, 1);
const DAY = 24 * 3_600_000;

/** Stretches of a log: bursts, steady hours and silence, the last one up to now or a little ahead. */
const stretches = fc.array(
	fc.record({
		count: fc.oneof(fc.nat(20), fc.nat(400)),
		gap: fc.constantFrom(0, 1, 7, 1000, 60_000, 3_600_000),
		silence: fc.constantFrom(0, 1, 500, 60_000, 3_600_000, DAY, 40 * DAY),
	}),
	{ maxLength: 6 },
);

function logOf(drawn: Array<{ count: number; gap: number; silence: number }>, ahead: number) {
	const ages: number[] = [];
	let age = -ahead;
	for (const { count, gap, silence } of drawn) {
		age += silence;
		for (let entry = 0; entry < count; entry++) ages.push((age += gap));
	}
	return ages
		.reverse()
		.filter((old) => old < KEPT_MS)
		.map((old, number) => ({
			time: NOW - old,
			appearsAt: 0,
			entry: { auditlogId: `e${number}`, createdAt: new Date(NOW - old).toISOString() },
		}));
}

type Page = Exclude<ReturnType<ModelLog['page']>, 'refused'>;

const QUERY = {
	pageSize: 100,
	now: NOW,
	mostRequests: 80,
	mostBytes: Infinity,
	fields: USUAL_FIELDS,
};

function pagesOf(log: ModelLog) {
	return async (call: PageCall) => ({ ...(log.page(call, NOW) as Page), bytes: 0 });
}

/** As a console answers that goes by whole seconds. */
function byWholeSeconds(log: ModelLog, call: PageCall) {
	const since = `${call.since!.slice(0, 19)}.000Z`;
	return { ...(log.page({ ...call, since }, NOW) as Page), bytes: 0 };
}

test('the search for the newest entries finds these and no others, or says that it did not', () => {
	let searches = 0;
	let complete = 0;
	return fc
		.assert(
			fc.asyncProperty(
				stretches,
				fc.record({
					wanted: fc.constantFrom(1, 10, 50, 130),
					pageSize: fc.constantFrom(1, 10, 100, 1000),
					maxLimit: fc.constantFrom(3, 100, Infinity),
					ahead: fc.constantFrom(0, 0, 30_000),
					end: fc.constantFrom('null' as const, 'token' as const),
					sinceAge: fc.option(fc.nat(10 * DAY), { nil: undefined }),
					untilAge: fc.option(fc.nat(2 * DAY), { nil: undefined }),
				}),
				async (drawn, { wanted, pageSize, maxLimit, ahead, end, sinceAge, untilAge }) => {
					const entries = logOf(drawn, ahead);
					const log = new ModelLog(entries, { ...PLAIN_HABITS, end, maxLimit, overMax: 'cap' });
					const until = untilAge === undefined ? undefined : NOW - untilAge;
					const since = sinceAge === undefined ? undefined : (until ?? NOW) - sinceAge;
					const mostRequests = 49 + Math.ceil(wanted / pageSize);
					const found = await newestEntries(pagesOf(log), {
						wanted,
						since,
						until,
						now: NOW,
						fields: USUAL_FIELDS,
						pageSize,
						mostRequests,
						mostBytes: Infinity,
					});
					const within = entries.filter(
						({ time }) => time >= (since ?? -Infinity) && time <= (until ?? Infinity),
					);
					expect(log.calls.length).toBeLessThanOrEqual(mostRequests);
					const isUsual = pageSize >= 100 && maxLimit >= 100;
					if (isUsual) searches++;
					if (!found.complete) return;
					if (isUsual) complete++;
					expect(found.entries).toEqual(within.slice(-wanted).map(({ entry }) => entry));
				},
			),
			propertyRuns(400),
		)
		.then(() => expect(complete / searches).toBeGreaterThan(0.95));
});

test('an entry comes once from a console that goes by whole seconds', async () => {
	const log = new ModelLog(logOf([{ count: 300, gap: 170, silence: 0 }], 0), PLAIN_HABITS);
	const found = await newestEntries(async (call) => byWholeSeconds(log, call), {
		...QUERY,
		wanted: 300,
		pageSize: 10,
	});
	const ids = found.entries.map(({ auditlogId }) => auditlogId);
	expect(new Set(ids).size).toBe(ids.length);
	expect(ids.at(-1)).toBe('e299');
});

test('a log of few entries is searched no further back than entries are kept', async () => {
	const log = new ModelLog(logOf([{ count: 3, gap: 1000, silence: DAY }], 0), PLAIN_HABITS);
	const found = await newestEntries(pagesOf(log), { ...QUERY, wanted: 10 });
	expect(found).toMatchObject({ complete: true, entries: { length: 3 } });
	const earliest = Math.min(...log.calls.map(({ since }) => Date.parse(since!)));
	expect(earliest).toBe(NOW - KEPT_MS);
});

test('an entry comes once also where some have no time', async () => {
	await fc.assert(
		fc.asyncProperty(stretches, fc.integer({ min: 2, max: 20 }), async (drawn, each) => {
			const entries = logOf(drawn, 0);
			entries.forEach((one, index) => {
				if (index % each === 0) one.entry = { ...one.entry, createdAt: '' };
			});
			const log = new ModelLog(entries, PLAIN_HABITS);
			const found = await newestEntries(pagesOf(log), { ...QUERY, wanted: 300 });
			const ids = found.entries.map(({ auditlogId }) => auditlogId);
			expect(new Set(ids).size).toBe(ids.length);
		}),
		propertyRuns(200),
	);
});

test.each([250, 1000])(
	'the newest of a second with %i entries are found there, too',
	async (count) => {
		const second = NOW - 5000;
		const entries = Array.from({ length: count }, (_, number) => ({
			time: second,
			appearsAt: 0,
			entry: { auditlogId: `e${number}`, createdAt: new Date(second).toISOString() },
		}));
		const log = new ModelLog(entries, PLAIN_HABITS);
		const found = await newestEntries(async (call) => byWholeSeconds(log, call), {
			wanted: 10,
			pageSize: 100,
			now: NOW,
			mostRequests: 49,
			mostBytes: Infinity,
			fields: USUAL_FIELDS,
		});
		expect(found).toMatchObject({
			complete: true,
			entries: entries.slice(-10).map(({ entry }) => entry),
		});
	},
);

test('what followed a burst of one moment is found, however large that was', async () => {
	const drawn = [
		{ count: 12, gap: 1, silence: DAY },
		{ count: 3000, gap: 0, silence: 1 },
	];
	const log = new ModelLog(logOf(drawn, 0), { ...PLAIN_HABITS, maxLimit: 50, overMax: 'cap' });
	const found = await newestEntries(pagesOf(log), {
		wanted: 10,
		pageSize: 100,
		now: NOW,
		mostRequests: 49,
		mostBytes: Infinity,
		fields: USUAL_FIELDS,
	});
	expect(found.entries.map(({ auditlogId }) => auditlogId).at(-1)).toBe('e3011');
	expect(found.complete).toBe(true);
});

test('the newest entry is found with pages of one, however long ago it was', async () => {
	const log = new ModelLog(logOf([{ count: 3, gap: 1000, silence: 40 * DAY }], 0), PLAIN_HABITS);
	const found = await newestEntries(pagesOf(log), {
		wanted: 1,
		pageSize: 1,
		now: NOW,
		mostRequests: 50,
		mostBytes: Infinity,
		fields: USUAL_FIELDS,
	});
	expect(found).toMatchObject({ complete: true, entries: [{ auditlogId: 'e2' }] });
});
