import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { PageCircle } from '../shared/pageCircle';
import type { Service } from '../transport/call';
import { systemClock } from '../transport/clock';
import { listEntries } from './auditLog';
import { entryTime, isoTime, RETENTION_DAYS, RETENTION_MS, USUAL_FIELDS } from './auditLogEntry';
import type { AuditLogEntry } from './auditLogEntry';
import type { PageCall } from './auditLogPage';
import type { ItemCalls } from './itemCalls';
import { DEFAULT_PAGE_SIZE } from './pageSize';
import { enteredTime } from './utcTime';

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
 * @throws NodeOperationError that names the field for a value that cannot be used.
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
	const refuse = (field: string, flaw: string, advice: string) =>
		new NodeOperationError(context.getNode(), `'${field}' ${flaw} [item ${itemIndex}]`, {
			description: advice,
			itemIndex,
		});
	const wholeNumber = (value: unknown, field: string) => {
		const number = Number(value);
		if (typeof value === 'boolean' || !Number.isSafeInteger(number) || number < 1) {
			throw refuse(field, `must be a whole number of 1 or more`, `It is ${JSON.stringify(value)}.`);
		}
		return number;
	};
	const time = (value: unknown, field: string) => {
		if (value === undefined || value === null || value === '') return undefined;
		const entered = enteredTime(value, context.getTimezone());
		if (entered === undefined) {
			throw refuse(
				field,
				'is not a date',
				'Enter a date and time, e.g. "2026-01-31T12:00:00.000Z".',
			);
		}
		return entered;
	};
	const options = context.getNodeParameter('options', itemIndex, {}) as IDataObject;
	const since = time(context.getNodeParameter('since', itemIndex, ''), 'Since');
	const until = time(options.until, 'Until');
	const now = systemClock.now();
	if (since !== undefined && since > now + CLOCK_TOLERANCE_MS) {
		throw refuse('Since', 'lies in the future', 'No entry can be that new. Enter an earlier date.');
	}
	if (since !== undefined && until !== undefined && until < since) {
		throw refuse('Until', `is before 'Since'`, 'Exchange the two dates.');
	}
	if (since !== undefined && since < now - RETENTION_MS) {
		context.addExecutionHints({
			message: `'Since' of item ${itemIndex} lies before the ${RETENTION_DAYS} days for which the console keeps entries: older ones are gone.`,
			location: 'outputPane',
		});
	}
	const returnAll = context.getNodeParameter('returnAll', itemIndex, false) as boolean;
	return {
		since,
		until,
		limit: returnAll
			? Infinity
			: wholeNumber(context.getNodeParameter('limit', itemIndex, 50), 'Limit'),
		pageSize:
			options.pageSize === undefined ? undefined : wholeNumber(options.pageSize, 'Page Size'),
	};
}
