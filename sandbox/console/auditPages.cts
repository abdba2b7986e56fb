import type { ConsoleSettings } from '../settings.cts';
import { message } from '../wire/refusal.cts';
import type { LogPosition } from './auditLog.cts';
import type { ConsoleParts } from './parts.cts';

const parameters = ['since', 'limit', 'pageToken'];
const utcWithMilliseconds = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/**
 * A page of the audit log as JSON text in ASCII (docs/interface.md, Endpoints).
 * @throws Refusal 400 for a parameter that is unknown, given twice, or does not fit.
 */
export function auditPage(query: Record<string, unknown>, parts: ConsoleParts): string {
	const { since, limit, pageToken } = texts(query);
	const sinceMs = since === undefined ? 0 : sinceOf(since);
	const size = pageSize(limit, parts.settings.console);
	const start =
		pageToken === undefined
			? parts.log.positionBefore(sinceMs)
			: continued(pageToken, since, limit, parts);
	const { entries, end, hasMore } = parts.log.read(start, size);
	const items = entries.map((entry) => entry.json).join(',');
	return `{"items":[${items}]${nextField(end, hasMore, since, limit, parts)}}`;
}

function texts(query: Record<string, unknown>): Record<string, string | undefined> {
	for (const [name, value] of Object.entries(query)) {
		if (!parameters.includes(name)) throw message(400, `Unknown query parameter "${name}".`);
		if (typeof value !== 'string') throw message(400, `"${name}" may be given once.`);
	}
	return query as Record<string, string | undefined>;
}

/** docs/interface.md, Endpoints: ISO 8601 UTC date-time with milliseconds. */
function sinceOf(text: string): number {
	const ms = utcWithMilliseconds.test(text) ? Date.parse(text) : NaN;
	const isDate = !Number.isNaN(ms) && new Date(ms).toISOString() === text;
	if (!isDate) throw message(400, '"since" must be like 2026-01-31T23:59:59.000Z.');
	return ms;
}

function pageSize(limit: string | undefined, settings: ConsoleSettings): number {
	if (limit === undefined) return settings.defaultPageSize;
	if (!/^[1-9]\d*$/.test(limit)) throw message(400, '"limit" must be a positive integer.');
	const { maxPageSize, overMaxPageSize } = settings;
	if (Number(limit) > maxPageSize && overMaxPageSize === 'refuse') {
		throw message(400, `"limit" must not be larger than ${maxPageSize}.`);
	}
	return Math.min(Number(limit), maxPageSize);
}

/** docs/interface.md, Endpoints: the client repeats the call with `pageToken`; another call is refused. */
function continued(
	token: string,
	since: string | undefined,
	limit: string | undefined,
	{ tokens }: ConsoleParts,
): LogPosition {
	const content = tokens.read(token);
	if (!content) throw message(400, 'The page token is not valid.');
	if (content.since !== (since ?? '') || content.limit !== (limit ?? '')) {
		throw message(400, 'The page token belongs to a call with another since or limit.');
	}
	return content.position;
}

function nextField(
	end: LogPosition,
	hasMore: boolean,
	since: string | undefined,
	limit: string | undefined,
	{ settings, tokens }: ConsoleParts,
): string {
	const { endOfLog } = settings.console;
	if (!hasMore && endOfLog === 'null') return ',"nextPageToken":null';
	if (!hasMore && endOfLog === 'absent') return '';
	const token = tokens.issue({ position: end, since: since ?? '', limit: limit ?? '' });
	return `,"nextPageToken":"${token}"`;
}
