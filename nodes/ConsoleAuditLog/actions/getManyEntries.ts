import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { UserError } from 'n8n-workflow';
import { enteredCount } from '../../../input/enteredNumber';
import { enteredTimeIfAny } from '../../../input/enteredTime';
import { PageCircle } from '../../../services/pageCircle';
import { resultLimit } from '../../../input/resultLimit';
import type { Service } from '../../../transport/call';
import { systemClock } from '../../../transport/clock';
import { listEntries } from '../../../services/console/auditLog';
import {
	entryTime,
	isoTime,
	RETENTION_DAYS,
	RETENTION_MS,
	USUAL_FIELDS,
} from '../../../services/console/auditLogEntry';
import type { AuditLogEntry } from '../../../services/console/auditLogEntry';
import type { PageCall } from '../../../services/console/auditLogPage';
import type { ItemCalls } from './itemCalls';
import { DEFAULT_PAGE_SIZE } from '../reading/pageSize';

/** A clock of n8n that is this far behind the server's, in milliseconds, is no mistake of the user. */
const CLOCK_TOLERANCE_MS = 10 * 60_000;

interface Query {
	since?: number;
	until?: number;
	/** Most entries wanted. */
	limit: number;
	pageSize?: number;
}

/**
 * Operation Get Many: entries oldest first, up to a limit or all of them.
 * @throws UserError that names the field for a value that cannot be used.
 */
export async function getManyEntries(
	context: IExecuteFunctions,
	service: Service,
	{ itemIndex, callContext }: ItemCalls,
): Promise<AuditLogEntry[]> {
	const query = readQuery(context, itemIndex);
	const entries: AuditLogEntry[] = [];
	const circle = new PageCircle();
	let call: PageCall = {
		since: query.since === undefined ? undefined : isoTime(query.since),
		limit: Math.min(query.pageSize ?? DEFAULT_PAGE_SIZE, query.limit),
	};
	for (;;) {
		const { page } = await listEntries(service, call, callContext());
		const { items, nextPageToken } = page;
		for (const entry of items) {
			// The interface knows no upper bound, so it is the entry that says whether it lies above.
			const time = entryTime(entry, USUAL_FIELDS) ?? -Infinity;
			if (time > (query.until ?? Infinity) || entries.length === query.limit) return entries;
			entries.push(entry);
		}
		if (items.length === 0 || nextPageToken === undefined) return entries;
		if (entries.length === query.limit) return entries;
		if (circle.leadsBack(nextPageToken, items)) {
			throw service.wrongShape(
				{ purpose: 'read the audit log', idempotent: true },
				'the page tokens lead in a circle',
				itemIndex,
			);
		}
		call = { ...call, pageToken: nextPageToken };
	}
}

function readQuery(context: IExecuteFunctions, itemIndex: number): Query {
	const options = context.getNodeParameter('options', itemIndex, {}) as IDataObject;
	const timezone = context.getTimezone();
	const since = enteredTimeIfAny(
		context.getNodeParameter('since', itemIndex, ''),
		'Since',
		timezone,
	);
	const until = enteredTimeIfAny(options.until, 'Until', timezone);
	const now = systemClock.now();
	if (since !== undefined && since > now + CLOCK_TOLERANCE_MS) {
		throw new UserError("'Since' lies in the future", {
			description: 'No entry can be that new. Enter an earlier date.',
		});
	}
	if (since !== undefined && until !== undefined && until < since) {
		throw new UserError("'Until' is before 'Since'", { description: 'Swap the two dates.' });
	}
	if (since !== undefined && since < now - RETENTION_MS) {
		context.addExecutionHints({
			message: `'Since' of item ${itemIndex} lies before the ${RETENTION_DAYS} days for which the console keeps entries: older ones are gone.`,
			location: 'outputPane',
		});
	}
	const { pageSize } = options;
	return {
		since,
		until,
		limit: resultLimit(context, itemIndex),
		pageSize: pageSize === undefined ? undefined : enteredCount(pageSize, 'Page Size'),
	};
}
