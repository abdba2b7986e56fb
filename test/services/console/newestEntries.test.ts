import { USUAL_FIELDS } from '../../../services/console/auditLogEntry';
import type { AuditLogPage } from '../../../services/console/auditLogPage';
import { newestEntries } from '../../../services/console/newestEntries';
import { ModelLog, PLAIN_HABITS } from '../../nodes/ConsoleAuditLog/support/modelLog';

const NOW = Date.UTC(2026, 2, 1);
const MINUTE = 60_000;

test.each([0, MINUTE / 2, 3 * MINUTE, 60 * MINUTE, 120 * MINUTE])(
	'finds the newest where all are dated %d ms ahead of the time by which the console filters',
	async (aheadMs) => {
		const entries = Array.from({ length: 200 }, (_, number) => {
			const time = NOW - (200 - number) * MINUTE;
			const createdAt = new Date(time + aheadMs).toISOString();
			return { time, appearsAt: 0, entry: { auditlogId: `e${number}`, createdAt } };
		});
		const log = new ModelLog(entries, PLAIN_HABITS);
		const { entries: found, complete } = await newestEntries(
			async (call) => log.page(call, NOW) as AuditLogPage,
			{ wanted: 50, now: NOW, fields: USUAL_FIELDS, pageSize: 100, mostRequests: 50 },
		);
		expect(complete).toBe(true);
		expect(found).toEqual(entries.slice(-50).map(({ entry }) => entry));
	},
);
