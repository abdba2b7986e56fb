import type { NodeApiError } from 'n8n-workflow';
import { callAddress } from './address';
import type { Answer, Call, CallContext, Delays, Service } from './call';
import { callError } from './errors/callError';
import type { Clock } from './clock';
import { systemClock } from './clock';
import { credentialId } from './contextNode';
import type { Unsent } from './queue/callQueue';
import type { Connection, RequestContext } from './connection';
import { exchange } from './exchange';
import type { Exchange, ExchangeLimits } from './exchange';
import type { CallFailure } from './errors/failure';
import { operationError } from './errors/operationError';
import { queueFor } from './queue/queueRegistry';
import type { StatedRate } from './queue/queueRegistry';
import type { Quote } from './errors/quoting';
import { quoting } from './errors/quoting';
import { oauthTokens } from './errors/redaction';
import { isUnclear, waitBeforeRetry } from './errors/retryPolicy';

/** A wait shorter than this, in milliseconds, is not worth telling the user about. */
const NOTICEABLE_WAIT_MS = 1000;

/** So long is left, in milliseconds, for the answer to a read that has waited: with less, the service would seem silent. */
const LEAST_FOR_ANSWER_MS = 2000;

/** What waits for no longer than that, in milliseconds, is sent at once. */
const AT_ONCE_MS = 100;

export interface Dependencies {
	clock: Clock;
	random: () => number;
	queue: typeof queueFor;
}

const REAL: Dependencies = { clock: systemClock, random: Math.random, queue: queueFor };

/**
 * The service behind a credential. Everything this package sends goes through here: paced by the
 * call queue of the token, repeated where the retry policy allows it, and every failure an error
 * that says what happened and what to do.
 */
export function connect(
	context: RequestContext,
	connection: Connection,
	dependencies: Dependencies = REAL,
): Service {
	return new ConnectedService(context, connection, dependencies);
}

interface Limits extends ExchangeLimits {
	signal?: AbortSignal;
	isUrgent?: boolean;
	/** How long the latest request took, in milliseconds. */
	tookMs: number;
	/** When the first was sent, in milliseconds of the monotonic clock. */
	sentAt?: number;
}

type Purpose = Pick<Call, 'purpose' | 'idempotent' | 'howToCheck' | 'ifNotFound'>;

class ConnectedService implements Service {
	readonly origin: string;
	readonly delays: Delays = { calls: 0, longestMs: 0 };
	private readonly rate: StatedRate;
	private readonly quoted: Quote;

	constructor(
		private readonly context: RequestContext,
		private readonly connection: Connection,
		private readonly dependencies: Dependencies,
	) {
		this.origin = connection.origin;
		this.quoted = quoting(dependencies.clock);
		const { callsPerMinute, credentialType } = connection;
		this.rate = {
			credentialId: credentialId(context, credentialType) ?? '',
			callsPerMinute,
			statedAt: dependencies.clock.monotonic(),
		};
	}

	async send(call: Call, callContext: CallContext = {}): Promise<Answer> {
		return await this.answerTo(call, this.address(call, callContext), callContext);
	}

	async wrongShape(
		call: Purpose,
		what: string,
		itemIndex?: number,
		quote?: string,
	): Promise<NodeApiError> {
		const detail = await this.quoted(what, this.connection.secrets);
		const failure: CallFailure = { kind: 'wrongShape', detail, quote: await this.said(quote) };
		return this.error(failure, call, itemIndex);
	}

	async toldError(call: Purpose, itemIndex?: number, quote?: string): Promise<NodeApiError> {
		return this.error({ kind: 'toldError', quote: await this.said(quote) }, call, itemIndex);
	}

	private async said(quote: string | undefined): Promise<string | undefined> {
		// A token that n8n has renewed is not known here.
		if (!quote || this.connection.renewsToken) return undefined;
		return await this.quoted(quote, this.connection.secrets);
	}

	private address(call: Call, { itemIndex }: CallContext): string {
		try {
			return callAddress(this.origin, call);
		} catch (error) {
			throw operationError(this.context.getNode(), error as Error, itemIndex);
		}
	}

	private async answerTo(call: Call, url: string, callContext: CallContext): Promise<Answer> {
		const { clock, random } = this.dependencies;
		const { signal, isUrgent, answerWithinMs, itemIndex, secrets = [] } = callContext;
		const { deadline = Infinity, repeatsForMs = Infinity } = callContext;
		const limits: Limits = {
			signal,
			isUrgent,
			answerWithinMs,
			deadline: deadline - clock.now() + clock.monotonic(),
			tookMs: 0,
		};
		for (let attempt = 1; ; attempt++) {
			const result = await this.sendInQueue(call, url, limits);
			if (result.ok) return result.answer;
			const failure = afterCancellation(result.failure, signal);
			// Whoever says how long an answer may take asks again where that was too little.
			const isEnough = failure.kind === 'noAnswer' && limits.tookMs >= (answerWithinMs ?? Infinity);
			const wait = isEnough
				? undefined
				: waitBeforeRetry(failure, call.idempotent, attempt, random());
			const latest = Math.min(limits.deadline, (limits.sentAt ?? 0) + repeatsForMs);
			if (wait === undefined || clock.monotonic() + wait >= latest) {
				throw this.error(await this.quotable(failure, secrets), call, itemIndex);
			}
			await clock.sleep(wait, signal);
			callContext.onRetry?.();
		}
	}

	/** A 429 goes back into the queue, and waits there with all others. */
	private async sendInQueue(call: Call, url: string, limits: Limits): Promise<Exchange> {
		const { clock, queue } = this.dependencies;
		const deadline = latestSending(call, limits.deadline, clock.monotonic());
		const outcome = await queue(this.connection.queueKey, this.rate).run<Exchange>(
			async () => {
				const { context, connection } = this;
				const sentAt = clock.monotonic();
				limits.sentAt ??= sentAt;
				const result = await exchange(context, connection, call, url, clock, limits);
				limits.tookMs = clock.monotonic() - sentAt;
				return !result.ok && result.failure.kind === 'rateLimited'
					? { kind: 'refused', retryAfterMs: result.failure.retryAfterMs }
					: { kind: 'answered', value: result };
			},
			{ ...limits, deadline },
		);
		this.noteDelay(outcome.waitedMs);
		switch (outcome.kind) {
			case 'answered':
				return outcome.value;
			case 'cancelled':
				return { ok: false, failure: { kind: 'cancelled' } };
			case 'expired':
				return { ok: false, failure: expiry(outcome, clock.now()) };
		}
	}

	private noteDelay(waitedMs: number): void {
		if (waitedMs < NOTICEABLE_WAIT_MS) return;
		this.delays.calls++;
		this.delays.longestMs = Math.max(this.delays.longestMs, waitedMs);
	}

	/** The failure as it may be shown: what others wrote in it is redacted, and one line. */
	private async quotable(failure: CallFailure, ofCall: string[]): Promise<CallFailure> {
		const { quote, detail, status } = failure;
		// To look for the secrets of many items takes time.
		if (!quote && (!detail || detail === String(status))) return failure;
		const { secrets } = this.connection;
		const all = [...secrets, ...(await this.heldTokens()), ...ofCall];
		return {
			...failure,
			quote: quote && (await this.quoted(quote, all)),
			detail: detail && detail !== String(status) ? await this.quoted(detail, all) : detail,
		};
	}

	/** The tokens that n8n holds for an OAuth2 credential: it may have renewed them during the call. */
	private async heldTokens(): Promise<string[]> {
		if (!this.connection.renewsToken) return [];
		// A credential that is gone holds none, and must not hide what went wrong.
		const credential = await this.context
			.getCredentials(this.connection.credentialType)
			.catch(() => undefined);
		return credential ? oauthTokens(credential) : [];
	}

	private error(failure: CallFailure, call: Purpose, itemIndex?: number): NodeApiError {
		return callError(this.context.getNode(), failure, {
			purpose: call.purpose,
			serviceName: this.connection.serviceName,
			itemIndex,
			unclear: isUnclear(failure, call.idempotent),
			howToCheck: call.howToCheck,
			ifNotFound: call.ifNotFound,
			advice: this.connection.advice,
		});
	}
}

/** Until when a call may wait for its turn. What may be sent at once is, however short its time. */
function latestSending({ idempotent }: Call, deadline: number, now: number): number {
	if (!idempotent) return deadline;
	return Math.max(deadline - LEAST_FOR_ANSWER_MS, Math.min(deadline, now + AT_ONCE_MS));
}

/** Why a call was not sent in time: how long it waited, and before when there is no use in another. */
function expiry(
	{ waitedMs, retryAfterMs, refusals }: Extract<Unsent, { kind: 'expired' }>,
	now: number,
): CallFailure {
	const waited = Math.round(waitedMs / 1000);
	const next = new Date(now + retryAfterMs).toISOString();
	const detail = [
		...(waited > 0 ? [`It waited ${waited} ${waited === 1 ? 'second' : 'seconds'}.`] : []),
		...(retryAfterMs >= 1000 ? [`No call can be sent before ${next.slice(0, 19)}Z.`] : []),
	];
	return {
		...(refusals > 0 ? { kind: 'rateLimited', status: 429 } : { kind: 'queueExpired' }),
		detail: detail.join(' ') || 'It ran out of time.',
		retryAfterMs,
	};
}

function afterCancellation(failure: CallFailure, signal: AbortSignal | undefined): CallFailure {
	const isBrokenOff = failure.kind === 'noAnswer' || failure.kind === 'answerCut';
	return isBrokenOff && signal?.aborted ? { kind: 'cancelledOnTheWay' } : failure;
}
