import { RETENTION_DAYS } from '../../../services/console/auditLogEntry';
import type { EntryFields } from '../../../services/console/auditLogEntry';
import type { LogReading } from '../reading/logReading';

/** Which of the notices that hold for long the user has had. */
export interface ToldNotices {
	earlier?: boolean;
	noIds?: boolean;
	noTimes?: boolean;
}

/**
 * What n8n's log is to say of what a poll has read.
 * @param told By earlier polls of this process.
 * @param isLost Whether the poll fails and hands over nothing, so that the next one reads the same.
 */
export function logNotices(
	reading: LogReading,
	{ told, fields, isLost }: { told: ToldNotices; fields: EntryFields; isLost: boolean },
): { notices: string[]; told: ToldNotices } {
	const isNews = reading.newEntries.length > 0;
	const earlier = isNews && reading.listsEarlier;
	const noIds = isNews && reading.lacksIds;
	const noTimes = isNews && reading.lacksTimes;
	const notices = [
		reading.missedRetention && !isLost && RETENTION,
		earlier && !told.earlier && earlierEntries(fields),
		reading.clockWentBack && reading.isFinished && CLOCK_BEHIND,
		noIds && !told.noIds && missingIds(fields),
		noTimes && !told.noTimes && missingTimes(fields),
	];
	return {
		notices: notices.filter((notice) => notice !== false),
		told: {
			// What ends may begin again.
			earlier: reading.listsEarlier && (told.earlier || earlier),
			noIds: told.noIds || noIds,
			noTimes: told.noTimes || noTimes,
		},
	};
}

const RETENTION = `the stored position is more than ${RETENTION_DAYS} days old. The console has deleted entries that old, so some may be missing. The trigger continues with what is left.`;

const CLOCK_BEHIND =
	"the console's clock is behind the trigger's position. The trigger goes back to the console's time; some entries may come twice or, if n8n was restarted meanwhile, be missed.";

function earlierEntries({ timestampField }: EntryFields): string {
	return `the console lists entries whose '${timestampField}' is earlier than the time asked for. 'Timestamp Field' must be the field by which the console sorts and filters. Until you correct it, entries may be missed or come again.`;
}

function missingIds({ idField }: EntryFields): string {
	return `no entry has the ID field '${idField}'. Entries are told apart by their whole content, so one whose content changes is delivered again. Set 'ID Field' to the field that holds the ID.`;
}

function missingTimes({ timestampField }: EntryFields): string {
	return `no entry has a time in the timestamp field '${timestampField}'. Entries that are listed late may be missed. Set 'Timestamp Field' to the field that holds the time.`;
}
