import { USUAL_FIELDS } from '../../../services/console/auditLogEntry';
import type { AuditLogPage, PageCall } from '../../../services/console/auditLogPage';
import { newestEntries } from '../../../services/console/newestEntries';
import { ModelLog, PLAIN_HABITS } from '../../nodes/ConsoleAuditLog/support/modelLog';

const NOW = Date.UTC(2026, 2, 1);
const MINUTE = 60_000;

const QUERY = {
	now: NOW,
	fields: USUAL_FIELDS,
	pageSize: 100,
	mostRequests: 50,
	mostBytes: Infinity,
};

function pagesOf(log: ModelLog) {
	return async (call: PageCall) => ({ ...(log.page(call, NOW) as AuditLogPage), bytes: 0 });
}

const newestFifty = async (log: ModelLog) =>
	await newestEntries(pagesOf(log), { ...QUERY, wanted: 50 });

test.each([0, MINUTE / 2, 3 * MINUTE, 60 * MINUTE, 120 * MINUTE])(
	'finds the newest where all are dated %d ms ahead of the time by which the console filters',
	async (aheadMs) => {
		const entries = Array.from({ length: 200 }, (_, number) => {
			const time = NOW - (200 - number) * MINUTE;
			const createdAt = new Date(time + aheadMs).toISOString();
			return { time, appearsAt: 0, entry: { auditlogId: `e${number}`, createdAt } };
		});
		const log = new ModelLog(entries, PLAIN_HABITS);
		const { entries: found, complete } = await newestFifty(log);
		expect(complete).toBe(true);
		expect(found).toEqual(entries.slice(-50).map(({ entry }) => entry));
	},
);

test('finds the newest behind a silence that is longer than all that follows it', async () => {
	const hour = 60 * MINUTE;
	// Of the working day before last, and, after a weekend, of the last.
	const days = [NOW - 4 * 24 * hour, NOW - 18 * hour];
	const entries = days.flatMap((begin, day) =>
		Array.from({ length: 6000 }, (_, number) => {
			const time = begin + number * 6000;
			const createdAt = new Date(time).toISOString();
			return { time, appearsAt: 0, entry: { auditlogId: `${day} ${number}`, createdAt } };
		}),
	);
	const log = new ModelLog(entries, PLAIN_HABITS);
	const { entries: found, complete } = await newestFifty(log);
	expect(complete).toBe(true);
	expect(found).toEqual(entries.slice(-50).map(({ entry }) => entry));
});

test.each([
	[500, 40],
	[1000, 60],
	[2000, 60],
])(
	'finds the newest %i of a log with nights and weekends in %i requests',
	async (wanted, mostRequests) => {
		const hour = 60 * MINUTE;
		const entries = Array.from({ length: 40 }, (_, day) => NOW - (40 - day) * 24 * hour)
			.filter((midnight) => ![0, 6].includes(new Date(midnight).getUTCDay()))
			.flatMap((midnight) =>
				Array.from({ length: 150 }, (_, number) => {
					const time = midnight + 8 * hour + number * 4 * MINUTE;
					const createdAt = new Date(time).toISOString();
					return { time, appearsAt: 0, entry: { auditlogId: createdAt, createdAt } };
				}),
			);
		const log = new ModelLog(entries, PLAIN_HABITS);
		const found = await newestEntries(pagesOf(log), { ...QUERY, wanted, mostRequests });
		expect(found.complete).toBe(true);
		expect(found.entries).toEqual(entries.slice(-wanted).map(({ entry }) => entry));
	},
);

describe.each(['null', 'token'] as const)('a log that ends with %s', (end) => {
	const entries = Array.from({ length: 40 }, (_, number) => {
		const time = NOW - (40 - number) * 5000;
		const createdAt = new Date(time).toISOString();
		return { time, appearsAt: 0, entry: { auditlogId: `e${number}`, createdAt } };
	});

	test.each([
		{ mostBytes: 1000, fit: 10 },
		{ mostBytes: 999, fit: 9 },
		{ mostBytes: 300, fit: 3 },
		{ mostBytes: 5, fit: 1 },
		{ mostBytes: 300, fit: 3, until: NOW - MINUTE },
		{ mostBytes: 300, fit: 3, until: NOW - 10_000, pageSize: 5 },
		{ mostBytes: 450, fit: 3, large: 36, pageSize: 1 },
		{ mostBytes: 450, fit: 3, large: 35, pageSize: 1, until: NOW - 10_000 },
		{ mostBytes: 250, fit: 2, since: NOW - 15_000 },
		{ mostBytes: 150, fit: 1, since: NOW - 15_000, until: NOW - 6000 },
	])(
		'gives no more than fits into some bytes, and says so: %j',
		async ({ fit, large, ...bounds }) => {
			const log = new ModelLog(entries, { ...PLAIN_HABITS, end });
			const readPage = async (call: PageCall) => {
				const page = log.page(call, NOW) as AuditLogPage;
				const isLarge = page.items.some(({ auditlogId }) => auditlogId === `e${large}`);
				return { ...page, bytes: (isLarge ? 1000 : 100) * page.items.length };
			};
			const query = { wanted: 10, now: NOW, fields: USUAL_FIELDS, pageSize: 30, mostRequests: 500 };
			const found = await newestEntries(readPage, { ...query, ...bounds });
			expect(found).toMatchObject({ complete: true, isTooLarge: fit < 10 });
			const listed = entries.filter(({ time }) => time <= (bounds.until ?? NOW));
			expect(found.entries).toEqual(listed.slice(-fit).map(({ entry }) => entry));
		},
	);
});
