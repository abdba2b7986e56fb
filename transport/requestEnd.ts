import { systemClock } from './clock';
import type { RequestContext } from './connection';

/** By how much a request may outlast its time, in milliseconds: so one timer seldom has to give way to another. */
const SLACK_MS = 1000;

/**
 * The end that a request has whatever the other side does: its execution is canceled, or the time
 * for the head of its answer is over, or later that for the rest. n8n's HTTP client knows silences
 * that it waits on for ever (status 101), and n8n itself heeds no signal while it renews a token.
 */
export class RequestEnd {
	/** The context to send from. n8n would put an execution's own signal in the place of ours. */
	readonly context: RequestContext;

	readonly signal: AbortSignal;

	/** Whether it was the time that ended the request. */
	isLate = false;

	private readonly controller = new AbortController();

	private readonly cancelled?: AbortSignal;

	private endsAt = Infinity;

	/** One timer is enough as long as it rings no later than it should: it takes a while to make. */
	private timer?: AbortSignal;

	private ringsAt = Infinity;

	/** @param milliseconds Time for the head of the answer. */
	constructor(context: RequestContext, milliseconds: number) {
		this.signal = this.controller.signal;
		const isExecution = 'getExecutionCancelSignal' in context;
		this.cancelled = isExecution ? context.getExecutionCancelSignal() : undefined;
		this.cancelled?.addEventListener('abort', this.breakOff, { once: true });
		if (this.cancelled?.aborted) this.breakOff();
		this.context = isExecution
			? (Object.create(context, {
					getExecutionCancelSignal: { value: () => this.signal },
				}) as RequestContext)
			: context;
		this.endIn(milliseconds);
	}

	readonly breakOff = () => this.controller.abort();

	/** Ends the request after so many milliseconds from now, in place of the time it had. */
	endIn(milliseconds: number): void {
		this.endsAt = systemClock.monotonic() + milliseconds;
		if (this.ringsAt > this.endsAt + SLACK_MS) this.setTimer(milliseconds);
	}

	/**
	 * The answer if its head comes in time.
	 * @param onLate Called with an answer that nobody waits for any more.
	 * @throws an error with the code `ERR_CANCELED` when the request has ended before.
	 */
	async before<T>(answer: Promise<T>, onLate: (answer: T) => void): Promise<T> {
		return await new Promise((resolve, reject) => {
			const end = () => reject(Object.assign(new Error('out of time'), { code: 'ERR_CANCELED' }));
			if (this.signal.aborted) end();
			this.signal.addEventListener('abort', end, { once: true });
			answer.then(
				(value) => {
					if (this.signal.aborted) onLate(value);
					resolve(value);
				},
				(error: unknown) => reject(error as Error),
			);
		});
	}

	release(): void {
		this.cancelled?.removeEventListener('abort', this.breakOff);
		this.timer?.removeEventListener('abort', this.ring);
	}

	private readonly ring = () => {
		const left = this.endsAt - this.ringsAt;
		if (left > 0) return this.setTimer(left);
		this.isLate = true;
		this.breakOff();
	};

	private setTimer(milliseconds: number): void {
		this.timer?.removeEventListener('abort', this.ring);
		this.ringsAt = this.endsAt;
		this.timer = AbortSignal.timeout(Math.max(1, Math.ceil(milliseconds)));
		this.timer.addEventListener('abort', this.ring, { once: true });
	}
}
