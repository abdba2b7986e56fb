import { parsedTime } from '../../../input/parsedTime';
import { isoTime } from '../../../services/console/auditLogEntry';
import { isRecord } from '../../../transport/isRecord';

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string';
const isTime: Check = (value) => isText(value) && parsedTime(value) !== undefined;
/** As it goes out in a call. */
const isSince: Check = (value) => {
	const time = parsedTime(value);
	return time !== undefined && isoTime(time) === value;
};
const isMoment: Check = (value) => Number.isSafeInteger(value) && Number(value) >= 0;
const isCount: Check = (value) => isMoment(value) && Number(value) > 0;

function optional(check: Check): Check {
	return (value) => value === undefined || check(value);
}

/** An object whose parts are as the checks say; it may have others. */
function shape(checks: Record<string, Check>): Check {
	const parts = Object.entries(checks);
	return (value) => isRecord(value) && parts.every(([name, check]) => check(value[name]));
}

const isRow: Check = (row) =>
	Array.isArray(row) && row.length === 2 && isMoment(row[0]) && isText(row[1]);

/** Whether what n8n stored is a PollState; `undefined` parts count as left out. */
export const isPollState = shape({
	scope: isText,
	since: optional(isTime),
	sinceIsUntold: optional((value) => typeof value === 'boolean'),
	from: optional(isSince),
	seen: (rows) => Array.isArray(rows) && rows.every(isRow),
	resume: optional(
		shape({
			at: optional(isSince),
			isBeforeFrom: optional((value) => typeof value === 'boolean'),
			canRestart: optional((value) => typeof value === 'boolean'),
			token: optional((token) => isText(token) && token !== ''),
			since: optional(isSince),
			limit: isCount,
			asOf: optional(isTime),
			isReread: optional((value) => typeof value === 'boolean'),
		}),
	),
	aheadMs: optional(isMoment),
	pageSize: optional(
		shape({
			size: isCount,
			failed: optional(isCount),
			failedAt: optional(isMoment),
		}),
	),
	credential: optional(shape({ salt: isText, digest: isText })),
	gapReported: optional((value) => typeof value === 'boolean'),
});
