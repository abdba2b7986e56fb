import type { FailureKind } from '../../../transport/errors/failure';

/** Failures that do not depend on what a call asks for: another one would fail as well. */
export const FAILS_EVERY_CALL: Array<FailureKind | undefined> = [
	'rateLimited',
	'queueExpired',
	'cancelled',
	'cancelledOnTheWay',
	'refusedConnection',
	'unknownHost',
	'untrustedCertificate',
	'noSecureConnection',
	'noAccessToken',
	'noTokenStored',
	'tokenServiceDown',
	'notSent',
];
