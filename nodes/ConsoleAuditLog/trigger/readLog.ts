import { NodeApiError } from 'n8n-workflow';
import type { CallContext, Service } from '../../../transport/call';
import { failureKindOf } from '../../../transport/errors/callError';
import type { Clock } from '../../../transport/clock';
import type { FailureKind } from '../../../transport/errors/failure';
import type { TimedPage } from '../../../services/console/auditLog';
import { listEntriesByPosition } from '../../../services/console/auditLog';
import type { PageCall } from '../../../services/console/auditLogPage';
import { believedTime } from '../../../services/serverTime';
import { FAILS_EVERY_CALL } from '../../common/polling/failsEveryCall';
import type { LogReading } from '../reading/logReading';
import type { PageFailure } from '../reading/pageCalls';

/** Failures to which a page may lead that is larger than the service can make, or allows. */
const PERHAPS_TOO_LARGE: Array<FailureKind | undefined> = [
	'badRequest',
	'tooLargeForService',
	'serverFault',
	'unavailable',
	'noAnswer',
	'answerCut',
	'answerTooSlow',
];

/** Failures that are due to the end of the poll's time when they come with it. */
const OUT_OF_TIME: Array<FailureKind | undefined> = ['noAnswer', 'answerTooSlow'];

/** How much too early a timer may fire, in milliseconds of the clock. */
const EARLY_TIMER_MS = 100;

type PageResult = { ok: true; timed: TimedPage } | { ok: false; error: NodeApiError };

async function requestPage(
	service: Service,
	call: PageCall,
	context: CallContext,
): Promise<PageResult> {
	return await listEntriesByPosition(service, call, context).then(
		(timed): PageResult => ({ ok: true, timed }),
		(error: unknown) =>
			error instanceof NodeApiError ? { ok: false, error } : Promise.reject(error),
	);
}

/** What of a call may have led to its failure; `undefined` where another one would fail as well. */
function pageFailureOf(error: NodeApiError): PageFailure | undefined {
	const kind = failureKindOf(error);
	if (FAILS_EVERY_CALL.includes(kind)) return undefined;
	if (kind === 'answerTooLarge') return 'tooLong';
	return PERHAPS_TOO_LARGE.includes(kind) ? 'tokenOrSize' : 'token';
}

/**
 * Asks for page after page until the reading is at its end, the time is over, or the service fails
 * in a way that no other call gets round. What was read before a failure stays in the reading.
 * @param deadline When to stop, in milliseconds of the clock.
 * @returns The failure that ended it, if one did.
 */
export async function readLog(
	service: Service,
	reading: LogReading,
	{ deadline, clock }: { deadline: number; clock: Clock },
): Promise<NodeApiError | undefined> {
	/** What the first of several tries without a token failed with: smaller pages hide the cause. */
	let original: NodeApiError | undefined;
	let unusableToken: string | undefined;
	for (let call = reading.nextCall; call; call = reading.nextCall) {
		if (clock.now() >= deadline) return original;
		const asked = clock.monotonic();
		const result = await requestPage(service, call, { deadline });
		if (result.ok) {
			original = undefined;
			({ unusableToken } = result.timed.page);
			const { page, serverTime } = result.timed;
			const answered = believedTime(serverTime, clock.now()) ?? clock.now();
			// What appeared while the answer was on its way is not in it.
			reading.take(page, answered - (clock.monotonic() - asked));
			continue;
		}
		const { error } = result;
		original = call.pageToken === undefined ? (original ?? error) : error;
		const failure = pageFailureOf(error);
		const hasAnotherWay = failure !== undefined && reading.failed(failure);
		const isOver = clock.now() >= deadline - EARLY_TIMER_MS;
		if (isOver && OUT_OF_TIME.includes(failureKindOf(error)) && reading.hasRead) return undefined;
		if (!hasAnotherWay) return original;
	}
	return reading.wentInCircles
		? service.wrongShape(
				{ purpose: 'read the audit log', idempotent: true },
				unusableToken ?? 'the page tokens lead in a circle',
			)
		: undefined;
}
