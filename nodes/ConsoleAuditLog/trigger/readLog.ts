import { NodeApiError } from 'n8n-workflow';
import type { CallContext, Service } from '../../../transport/call';
import { failureKindOf } from '../../../transport/errors/callError';
import type { Clock } from '../../../transport/clock';
import type { FailureKind } from '../../../transport/errors/failure';
import type { TimedPage } from '../../../services/console/auditLog';
import { listEntries } from '../../../services/console/auditLog';
import type { PageCall } from '../../../services/console/auditLogPage';
import type { LogReading } from '../reading/logReading';

/** Answers by which a service may refuse a page token or a page size, and not the caller. */
const REFUSALS = ['400', '404', '410', '413', '414', '422'];

/** Failures to which a page that is larger than the service can make may lead. */
const OVERLOADS: Array<FailureKind | undefined> = [
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
	return await listEntries(service, call, context).then(
		(timed): PageResult => ({ ok: true, timed }),
		(error: unknown) =>
			error instanceof NodeApiError ? { ok: false, error } : Promise.reject(error),
	);
}

/**
 * Carries out a reading: asks page after page until it is at its end, the time is over, or the
 * service fails. What was read completely before a failure stays in the reading.
 *
 * @param deadline When to stop, in milliseconds of the clock.
 * @returns The failure that ended it, if one did.
 */
export async function readLog(
	service: Service,
	reading: LogReading,
	{ deadline, clock }: { deadline: number; clock: Clock },
): Promise<NodeApiError | undefined> {
	for (let call = reading.nextCall; call && clock.now() < deadline; call = reading.nextCall) {
		const asked = clock.now();
		const result = await requestPage(service, call, { deadline });
		if (result.ok) {
			// What appeared while the answer was on its way is not in it.
			const { page, serverTime = clock.now() } = result.timed;
			// A clock that was set back meanwhile must not put that moment ahead.
			reading.take(page, serverTime - Math.max(0, clock.now() - asked));
			continue;
		}
		const kind = failureKindOf(result.error);
		const isOver = clock.now() >= deadline - EARLY_TIMER_MS;
		if (OUT_OF_TIME.includes(kind) && isOver && reading.hasRead) return undefined;
		const tooLong = kind === 'answerTooLarge';
		const isRefusal =
			tooLong ||
			REFUSALS.includes(result.error.httpCode ?? '') ||
			(reading.triesLargerPage && OVERLOADS.includes(kind));
		if (!isRefusal || !reading.refused(tooLong)) return result.error;
	}
	return reading.wentInCircles
		? service.wrongShape(
				{ purpose: 'read the audit log', idempotent: true },
				'the page tokens lead in a circle',
			)
		: undefined;
}
