import { NodeApiError } from 'n8n-workflow';
import type { Service } from '../../../transport/call';
import { alsoFails, failureKindOf } from '../../../transport/errors/callError';
import type { Clock } from '../../../transport/clock';
import type { FailureKind } from '../../../transport/errors/failure';
import { listEntriesByPosition, toldNow } from '../../../services/console/auditLog';
import { believedTime } from '../../../services/serverTime';
import type { LogReading } from '../reading/logReading';
import type { PageFailure } from '../reading/pageCalls';
import { PAGE_SIZES } from '../reading/pageSize';

/** How a console may say that it has nothing of so long ago. */
const GONE = '410';

/** Failures that are due to the end of the poll's time when they come with it. */
const OUT_OF_TIME: Array<FailureKind | undefined> = ['noAnswer', 'answerTooSlow'];

/** How much too early a timer may fire, in milliseconds of the clock. */
const EARLY_TIMER_MS = 100;

function apiError(error: unknown): NodeApiError {
	if (error instanceof NodeApiError) return error;
	throw error;
}

/** What of a call may have led to its failure; `undefined` where another one would fail as well. */
function pageFailureOf(error: NodeApiError): PageFailure | undefined {
	const kind = failureKindOf(error);
	// A 407 need not be that of a proxy.
	if (kind === 'proxyRefused' && error.httpCode === '407') return 'token';
	if (alsoFails(error) === 'everyCall') return undefined;
	if (kind === 'answerTooLarge') return 'tooLong';
	if (kind === 'badRequest' || error.httpCode === GONE) return 'refused';
	// What is too large for a gateway it may refuse with any answer. But a credential that is refused
	// again and again may be locked.
	return kind === 'unauthorized' ? 'token' : 'tokenOrSize';
}

/**
 * Asks for page after page until the reading is at its end, the time is over, or the service fails
 * in a way that no other call gets round. What was read before a failure stays in the reading.
 * @param deadline When to stop, in milliseconds of the clock.
 * @param isAnswered Whether this poll has had an answer before: it then goes on at another place.
 * @returns The failure that ended it, if one did.
 */
export async function readLog(
	service: Service,
	reading: LogReading,
	poll: { deadline: number; clock: Clock; isAnswered?: boolean },
): Promise<NodeApiError | undefined> {
	const { deadline, clock } = poll;
	// A poll is short, and executions may wait for an hour.
	const context = { deadline, isUrgent: true };
	/** What the first of several tries without a token failed with: smaller pages hide the cause. */
	let original: NodeApiError | undefined;
	let unusableToken: string | undefined;
	let { isAnswered = false } = poll;
	for (let call = reading.nextCall; call; call = reading.nextCall) {
		if (clock.now() >= deadline) return original;
		const asked = clock.monotonic();
		const { knownDigest } = reading;
		const answer = await listEntriesByPosition(service, call, context, knownDigest).catch(apiError);
		if (!(answer instanceof NodeApiError)) {
			original = undefined;
			isAnswered = true;
			const { page, serverTime, bytes, digest } = answer;
			const told = believedTime(serverTime, clock.now());
			const answered = told ?? clock.now();
			// What appeared while the answer was on its way is not in it.
			const askedAt = answered - (clock.monotonic() - asked);
			const isTold = told !== undefined;
			unusableToken = page?.unusableToken;
			if (page) reading.take(page, askedAt, { bytes, digest, isTold });
			else reading.takeKnown(askedAt, isTold);
			continue;
		}
		const hasToken = call.pageToken !== undefined;
		original = hasToken ? answer : (original ?? answer);
		const isOver =
			isAnswered &&
			clock.now() >= deadline - EARLY_TIMER_MS &&
			OUT_OF_TIME.includes(failureKindOf(answer));
		// That says nothing against its token: the next poll goes on with it.
		if (isOver && hasToken) return undefined;
		// What is left of the time after that answer tells nothing of a small page.
		if (isOver && poll.isAnswered && !reading.hasRead && call.limit <= PAGE_SIZES.first) {
			return original;
		}
		const failure = pageFailureOf(answer);
		const hasAnotherWay =
			failure !== undefined &&
			(reading.failed(failure) ||
				(failure === 'refused' && (await leavesFuture(service, reading, poll))));
		if (isOver) return undefined;
		if (!hasAnotherWay) return original;
		// There is a way without it.
		if (hasToken && isAnswered) original = undefined;
	}
	return reading.wentInCircles
		? await service.wrongShape(
				{ purpose: 'read the audit log', idempotent: true },
				unusableToken ?? 'the page tokens lead in a circle',
			)
		: undefined;
}

/** Whether the console refused a time to come, so that there is an earlier one to begin at. */
async function leavesFuture(
	service: Service,
	reading: LogReading,
	poll: { deadline: number; clock: Clock },
): Promise<boolean> {
	if (!reading.beginsInFuture) return false;
	const told = await toldNow(service, poll).catch(() => undefined);
	return told !== undefined && reading.leaveFuture(told);
}
