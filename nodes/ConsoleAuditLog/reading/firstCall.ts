import { parsedTime } from '../../../input/parsedTime';
import type { PageCall } from '../../../services/console/auditLogPage';
import { isoTime } from '../../../services/console/auditLogEntry';
import type { PageSize } from './pageSize';
import type { PollState } from './pollState';

/** How a poll begins. */
interface FirstCall {
	call: PageCall;
	/** Where to begin without a page token, should that of the call fail. */
	restart?: string;
	/** What the poll before had read, where this one goes on. Absent: the log is read from the position on. */
	resumed?: { at?: number; asOf?: number };
}

/**
 * The first call of a poll: where the poll before wanted it to go on, else from the position on.
 * @param skippedMs How much the page at that place was found to skip, in milliseconds.
 * @param mayUseToken Whether the console has not refused the stored token.
 */
export function firstCall(
	{ from, resume }: Pick<PollState, 'from' | 'resume'>,
	pageSize: Pick<PageSize, 'current' | 'largest'>,
	{ skippedMs = 0, mayUseToken }: { skippedMs?: number; mayUseToken: boolean },
): FirstCall {
	const call = { since: from, limit: pageSize.current };
	if (!resume) return { call, restart: from };
	const { canRestart, token, limit } = resume;
	const isUsable = token !== undefined && limit <= pageSize.largest && mayUseToken;
	if (token !== undefined && !isUsable && !canRestart) return { call, restart: from };
	const stoppedAt = parsedTime(resume.at);
	const at = stoppedAt === undefined ? undefined : Math.max(0, stoppedAt - skippedMs);
	const since = at === undefined ? undefined : isoTime(at);
	const resumed = { at, asOf: parsedTime(resume.asOf) };
	if (!isUsable) return { call: { ...call, since }, restart: from, resumed };
	const withToken = { since: resume.since, limit, pageToken: token };
	return { call: withToken, restart: canRestart ? since : from, resumed };
}
