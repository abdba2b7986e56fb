import type { RequestContext } from './connection';

/**
 * The end that a request has whatever the other side does: its execution is canceled, or the time
 * for the head of its answer is over. n8n's HTTP client knows silences that it waits on for ever
 * (status 101), and n8n itself heeds no signal while it renews a token.
 */
export class RequestEnd {
	/** The context to send from. n8n would put an execution's own signal in the place of ours. */
	readonly context: RequestContext;

	readonly signal: AbortSignal;

	private readonly controller = new AbortController();

	private readonly sources: AbortSignal[];

	readonly breakOff = () => this.controller.abort();

	/** @param milliseconds Time for the head of the answer. */
	constructor(context: RequestContext, milliseconds: number) {
		this.signal = this.controller.signal;
		const cancelled =
			'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
		this.sources = [AbortSignal.timeout(milliseconds), ...(cancelled ? [cancelled] : [])];
		for (const source of this.sources)
			source.addEventListener('abort', this.breakOff, { once: true });
		if (cancelled?.aborted) this.breakOff();
		this.context =
			'getExecutionCancelSignal' in context
				? (Object.create(context, {
						getExecutionCancelSignal: { value: () => this.signal },
					}) as RequestContext)
				: context;
	}

	/**
	 * The answer if its head comes in time; from then on only a cancellation ends the request.
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
					this.sources[0].removeEventListener('abort', this.breakOff);
					resolve(value);
				},
				(error: unknown) => reject(error as Error),
			);
		});
	}

	release(): void {
		for (const source of this.sources) source.removeEventListener('abort', this.breakOff);
	}
}
