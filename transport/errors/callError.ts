import type { INode, NodeApiError as NodeApiErrorType } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';
import { withoutCanceledWord } from './canceledWord';
import { failures } from './failure';
import type { CallFailure, FailureKind, ServiceAdvice } from './failure';

interface ErrorSituation {
	purpose: string;
	serviceName: string;
	itemIndex?: number;
	/** Whether the call had an effect and may have been carried out all the same. */
	unclear?: boolean;
	ifNotFound?: string;
	/** What the service's own rules make of a failure, in place of the general advice. */
	advice?: ServiceAdvice;
	howToCheck?: string;
}

function fill(template: string, failure: CallFailure, situation: ErrorSituation): string {
	const isOfAnId = failure.kind === 'notFound' && situation.ifNotFound !== undefined;
	const values: Record<string, string> = {
		purpose: situation.purpose,
		service: situation.serviceName + (isOfAnId ? ' knows nothing with this ID, or' : ''),
		detail: withoutCanceledWord(failure.detail ?? String(failure.status ?? '')),
	};
	return template.replace(/\{(purpose|service|detail)\}/g, (_, name: string) => values[name]);
}

function descriptionOf(failure: CallFailure, situation: ErrorSituation): string {
	const { advice: general, passes, speaker } = failures[failure.kind];
	const advice = situation.advice?.[failure.kind] ?? general;
	const who = speaker ?? `The ${situation.serviceName}`;
	const parts: string[] = [advice];
	if (failure.kind === 'notFound' && situation.ifNotFound) parts.unshift(situation.ifNotFound);
	if (failure.withWebPage) parts.push('The answer was a web page, so it may be from a proxy.');
	// A quoted sentence brings a full stop of its own.
	if (failure.quote) parts.unshift(`${who} says: "${failure.quote.replace(/\.$/, '')}".`);
	if (situation.unclear) {
		parts.unshift(
			'It is not certain whether the call was carried out, so it was not repeated.',
			situation.howToCheck ?? 'Check in the service before you run it again.',
		);
	} else if (passes) {
		parts.push('Try again later.');
	}
	return parts.join(' ');
}

/**
 * The one place where a failed call becomes an n8n error. It carries the status as `httpCode`, the
 * item, and n8n's `failure`, which tells n8n's own back-off what to do. Nothing of the request goes
 * in, so no credential can come out.
 */
export function callError(
	node: INode,
	failure: CallFailure,
	situation: ErrorSituation,
): NodeApiErrorType {
	const { message, cause } = failures[failure.kind];
	const item = situation.itemIndex === undefined ? '' : ` [item ${situation.itemIndex}]`;
	const text = fill(message, failure, situation) + item;
	const error = new NodeApiError(
		node,
		{ message: text },
		{
			message: text,
			description: descriptionOf(failure, situation),
			httpCode: failure.status === undefined ? undefined : String(failure.status),
			itemIndex: situation.itemIndex,
			failure: cause && {
				cause,
				...(failure.retryAfterMs !== undefined &&
				(cause === 'rate-limited' || cause === 'temporarily-unavailable')
					? { retryAfterMs: failure.retryAfterMs }
					: {}),
			},
		},
	);
	// n8n puts its own text in place of one that holds a code of Node.js, and takes the EACCES in a
	// host called "freeaccess" for one.
	error.message = text;
	error.context.failureKind = failure.kind;
	if (situation.unclear) error.context.unclear = true;
	return error;
}

export function failureKindOf(error: NodeApiErrorType): FailureKind | undefined {
	return error.context.failureKind as FailureKind | undefined;
}

/** Which other calls would fail as well; `undefined` where one that asks for something else may not. */
export function alsoFails(error: NodeApiErrorType): 'everyCall' | 'samePath' | undefined {
	const kind = failureKindOf(error);
	return kind && failures[kind].alsoFails;
}
