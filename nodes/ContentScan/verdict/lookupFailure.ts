import { NodeApiError } from 'n8n-workflow';
import { addSentence } from '../../../transport/errors/addSentence';
import { failureKindOf } from '../../../transport/errors/callError';
import type { FailureKind } from '../../../transport/errors/failure';
import { isTooLong } from '../../../services/scanning/scanList';

/** The status of a failed call, NaN where there was no answer. */
function statusOf(error: unknown): number {
	return Number((error as { httpCode?: unknown }).httpCode ?? undefined);
}

function isOfKind(error: unknown, kind: FailureKind): boolean {
	return error instanceof NodeApiError && failureKindOf(error) === kind;
}

/** Whether shorter windows of the list may be read where this one was not. */
export function mayBeTooLong(error: unknown): boolean {
	return isTooLong(error) || statusOf(error) >= 500;
}

/** Whether asking again would get the same answer: no list, or refused for another reason than haste. */
export function isLasting(error: unknown): boolean {
	if (isOfKind(error, 'wrongShape')) return true;
	const status = statusOf(error);
	return status >= 300 && status < 500 && status !== 408 && status !== 429;
}

/** What an item fails with that was submitted: the general advice would have it submitted again. */
export function afterSubmission(error: Error): Error {
	if (!(error instanceof NodeApiError)) return error;
	addSentence(
		error,
		'The scan was submitted: read its verdict with Get, and do not submit it again.',
	);
	return error;
}

/** Whether no answer came in time. */
export function hasNoAnswer(error: unknown): boolean {
	return isOfKind(error, 'noAnswer');
}

/** Whether the call was not sent, as its turn would have come too late. */
export function isExpired(error: unknown): boolean {
	return isOfKind(error, 'queueExpired');
}

export function isTokenRefused(error: unknown): boolean {
	return statusOf(error) === 401;
}

export function isNotFound(error: unknown): boolean {
	return statusOf(error) === 404;
}
