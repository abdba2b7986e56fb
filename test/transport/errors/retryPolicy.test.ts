import type { FailureKind } from '../../../transport/errors/failure';
import { failures } from '../../../transport/errors/failure';
import { isUnclear, waitBeforeRetry } from '../../../transport/errors/retryPolicy';

type Row = [repeatedIdempotent: boolean, repeatedWithEffect: boolean, unclearWithEffect: boolean];

/** What each failure means for a call that may be sent twice, and for one that must not. */
const POLICY: Record<FailureKind, Row> = {
	// The service said no: it did not carry out the call, and would say so again.
	badRequest: [false, false, false],
	unauthorized: [false, false, false],
	paymentRequired: [false, false, false],
	forbidden: [false, false, false],
	notFound: [false, false, false],
	methodNotAllowed: [false, false, false],
	conflict: [false, false, false],
	tooLargeForService: [false, false, false],
	redirect: [false, false, false],
	// The call queue repeats a 429 itself; these are its last word.
	rateLimited: [false, false, false],
	queueExpired: [false, false, false],
	cancelled: [false, false, false],
	// The service may have done its work before it went wrong.
	serverFault: [false, false, true],
	unexpectedStatus: [false, false, true],
	webPage: [false, false, true],
	notJson: [false, false, true],
	toldError: [false, false, true],
	wrongShape: [false, false, true],
	answerTooLarge: [false, false, true],
	proxyRefused: [true, true, false],
	answeredEarly: [false, false, true],
	cancelledOnTheWay: [false, false, true],
	unavailable: [true, false, true],
	answerTooSlow: [true, false, true],
	answerCut: [true, false, true],
	noAnswer: [true, false, true],
	// The request cannot have arrived.
	refusedConnection: [true, true, false],
	unknownHost: [true, true, false],
	tokenServiceDown: [true, true, false],
	untrustedCertificate: [false, false, false],
	noSecureConnection: [false, false, false],
	noAccessToken: [false, false, false],
	noTokenStored: [false, false, false],
	notSent: [false, false, false],
	fileChanged: [false, false, false],
	fileUnreadable: [false, false, false],
	foreignAddress: [false, false, false],
	readOnly: [false, false, false],
};

const rows = Object.entries(POLICY) as Array<[FailureKind, Row]>;

it('knows every failure', () => {
	expect(Object.keys(POLICY).sort()).toStrictEqual(Object.keys(failures).sort());
});

it.each(rows)('%s: repeated if idempotent, if not, and unclear: %j', (kind, row) => {
	expect([
		waitBeforeRetry({ kind }, true, 1, 0) !== undefined,
		waitBeforeRetry({ kind }, false, 1, 0) !== undefined,
		isUnclear({ kind }, false),
	]).toStrictEqual(row);
	expect(isUnclear({ kind }, true)).toBe(false);
});

it.each([
	[301, false],
	[302, true],
	[303, true],
	[307, false],
	[308, false],
])('a redirect with %d leaves open whether it was carried out: %p', (status, unclear) => {
	expect(isUnclear({ kind: 'redirect', status }, false)).toBe(unclear);
	expect(isUnclear({ kind: 'redirect', status }, true)).toBe(false);
	expect(waitBeforeRetry({ kind: 'redirect', status }, false, 1, 0)).toBeUndefined();
});

it('never repeats a call that may have been carried out', () => {
	for (const [kind] of rows.filter(([, [, , unclear]]) => unclear)) {
		expect(waitBeforeRetry({ kind }, false, 1, 0)).toBeUndefined();
	}
});

it('waits longer each time, with jitter of up to a quarter, and gives up after the fourth attempt', () => {
	const waits = (random: number) =>
		[1, 2, 3, 4, 5].map((attempt) =>
			waitBeforeRetry({ kind: 'unavailable' }, true, attempt, random),
		);
	expect(waits(0)).toStrictEqual([1000, 3000, 8000, undefined, undefined]);
	expect(waits(1)).toStrictEqual([1250, 3750, 10_000, undefined, undefined]);
});

it.each([
	[500, 1000],
	[30_000, 30_000],
	[60_000, 60_000],
	[60_001, undefined],
	[86_400_000, undefined],
])('a Retry-After of %d ms makes it wait %s ms', (retryAfterMs, wait) => {
	expect(waitBeforeRetry({ kind: 'unavailable', retryAfterMs }, true, 1, 0)).toBe(wait);
});

it('a call with an effect that was answered is never sent again, whoever answered', () => {
	const failure = { kind: 'proxyRefused', status: 407 } as const;
	expect(waitBeforeRetry(failure, true, 1, 0)).toBe(1000);
	expect(waitBeforeRetry(failure, false, 1, 0)).toBeUndefined();
});
