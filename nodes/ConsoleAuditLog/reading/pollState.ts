import { isoTime } from '../../../services/console/auditLogEntry';
import type { CredentialMark } from '../../common/polling/credentialMark';
import type { LearnedPageSize } from './pageSize';
import type { PackedDigests } from './seenDigests';

/**
 * Where the trigger stands in the log. It is stored by n8n as one value and replaced as a whole, so
 * it may be lost or go back to an older one as a whole, never in part.
 */
export interface PollState {
	version: typeof STATE_VERSION;
	/** Console and fields this state belongs to; another scope starts anew. */
	scope: string;
	/** Newest delivered time as the service wrote it; before the first delivery, where to start. */
	since?: string;
	/** Whether that is the time of a reading, since the entries told none. */
	sinceIsUntold?: boolean;
	/**
	 * Where the next reading begins, ISO 8601 UTC with milliseconds: the lookback before what was
	 * read, later where the bound on the state made it so. Absent: at the oldest entry.
	 */
	from?: string;
	/** Digests of the delivered entries from a second before `from`: times may be whole seconds. */
	seen: PackedDigests;
	resume?: ResumePoint;
	/** How far ahead entries are dated of the time by which the console filters them, in milliseconds. */
	aheadMs?: number;
	pageSize?: LearnedPageSize;
	/** The credential that the log was read with. */
	credential?: CredentialMark;
	/** Whether the user was told that entries were gone before they could be read. */
	gapReported?: boolean;
}

export interface ResumePoint {
	/** Time of the last entry read, ISO 8601 UTC. Without a token, the next call begins there. */
	at?: string;
	/** Whether the reading went back before `from`, where nothing is new, and has not come to it again. */
	isBeforeFrom?: boolean;
	/** Whether reading can also go on at that time, should the token fail. */
	canRestart?: boolean;
	/** The token of the next call, and what that call must repeat. */
	token?: string;
	since?: string;
	limit: number;
	/** The server's time when the reading began, ISO 8601, if late entries may still appear behind. */
	asOf?: string;
	/** Whether all from the position up to here was read again because the credential had changed. */
	isReread?: boolean;
}

/** To be raised when a stored state would be misread by an older version of the package. */
export const STATE_VERSION = 2;

/** The state from which a log is read for the first time. */
export function freshState(scope: string, since?: number): PollState {
	const start = since === undefined || since <= 0 ? undefined : isoTime(since);
	return { version: STATE_VERSION, scope, ...(start && { since: start, from: start }), seen: [] };
}
