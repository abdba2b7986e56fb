import { parsedTime } from '../../../input/parsedTime';
import { entryTime, isoTime } from '../../../services/console/auditLogEntry';
import type { AuditLogPage, PageCall } from '../../../services/console/auditLogPage';
import type { ReadSoFar } from './readSoFar';
import type { ReadingSettings } from './readingSettings';
import type { SeenEntries } from './seenEntries';

/** What two zones of the earth differ by at most: entries are not dated further ahead. */
const MOST_AHEAD_MS = 26 * 3_600_000;

/** What a reading knows when a page comes. */
export interface SkipContext {
	read: ReadSoFar;
	seen: SeenEntries;
	settings: ReadingSettings;
	/** Where the poll before wanted this one to go on. */
	resumedAt: string | undefined;
}

/**
 * How much was skipped, in milliseconds at most, where a reading was to go on at an entry's time: `since` is
 * inclusive, so that entry comes again, unless the console filters by another time than it tells. It counts where it
 * is more than all are known to be dated ahead.
 */
export function measuredSkip(
	{ items }: AuditLogPage,
	{ since, pageToken }: PageCall,
	{ read, seen, settings, resumedAt }: SkipContext,
): number {
	const { anchor, leastLater, aheadMs } = read;
	const isAnchor = since === resumedAt || (anchor !== undefined && since === isoTime(anchor));
	if (since === undefined || pageToken !== undefined || !isAnchor) return 0;
	if (!items.every((entry) => seen.isUnread(entry))) return 0;
	const first = items.map((entry) => entryTime(entry, settings)).find((time) => time !== undefined);
	if (first === undefined) return 0;
	// At most this: an entry of this poll was dated that near to the time that its call asked for.
	const skipped = Math.min(first - parsedTime(since)!, leastLater, MOST_AHEAD_MS);
	return skipped > aheadMs ? skipped : 0;
}
