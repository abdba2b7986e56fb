import type { Service } from '../../../transport/call';
import type { Clock } from '../../../transport/clock';
import { listEntries, serverNow } from '../../../services/console/auditLog';
import type { AuditLogEntry, EntryFields } from '../../../services/console/auditLogEntry';
import { newestEntries } from '../../../services/console/newestEntries';
import { LARGEST_BATCH } from '../../common/polling/largestBatch';
import { DEFAULT_PAGE_SIZE } from '../reading/pageSize';

/** Entries that "Fetch Test Event" shows, and requests it may take. */
const WANTED = 10;
const MOST_REQUESTS = 50;

/**
 * The ten newest entries, the oldest of them first, in at most 50 requests; fewer where they are large. Where
 * so many share one moment that this is not enough, the newest that were reached.
 * @param settings `pageSize`: entries in one page, if the user set it.
 * @param deadline When to give up, in milliseconds of the clock.
 * @throws NodeApiError as the transport.
 */
export async function testEventEntries(
	service: Service,
	settings: EntryFields & { pageSize?: number },
	{ deadline, clock }: { deadline: number; clock: Clock },
): Promise<AuditLogEntry[]> {
	const now = await serverNow(service, { clock, deadline });
	const { entries } = await newestEntries(
		async (call) => {
			const { page, bytes } = await listEntries(service, call, { deadline, isUrgent: true });
			return { ...page, bytes };
		},
		{
			wanted: WANTED,
			now,
			fields: settings,
			pageSize: settings.pageSize ?? DEFAULT_PAGE_SIZE,
			mostRequests: MOST_REQUESTS - 1,
			mostBytes: LARGEST_BATCH,
		},
	);
	return entries;
}
