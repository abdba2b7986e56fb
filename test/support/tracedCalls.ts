import fc from 'fast-check';
import type { Attempt, CallQueue, Outcome } from '../../transport/queue/callQueue';
import { FakeClock } from './fakeClock.cts';

/** A call as a property draws it; times in milliseconds. */
export interface DrawnCall {
	/** Time since the call before it. */
	gap: number;
	toCount: number;
	toAnswer: number;
	/** The Retry-After of each refusal before the answer; `undefined`: it has none. */
	refusals: Array<number | undefined>;
	fails: boolean;
	isUrgent: boolean;
	deadline?: number;
	cancelAfter?: number;
}

/** What became of a call, in milliseconds of the clock. */
export interface Trace {
	drawn: DrawnCall;
	enteredAt: number;
	sentAt: number[];
	backAt: number[];
	/** For each refusal, the time from which on it asked to be called again. */
	named: number[];
	onTheWire: boolean;
	cancelledAt?: number;
	settledAt?: number;
	settledTimes: number;
	outcome?: Outcome<number> | { kind: 'failed' };
}

const duration = fc.oneof(
	{ weight: 3, arbitrary: fc.nat(500) },
	{ weight: 2, arbitrary: fc.nat(20_000) },
	{ weight: 1, arbitrary: fc.nat(150_000) },
);

const someRefusals = fc.array(fc.option(duration, { nil: undefined }), { maxLength: 4 });

/** A call that is only slow. */
export const slowCall: fc.Arbitrary<DrawnCall> = fc.record({
	gap: fc.oneof(fc.constant(0), duration),
	toCount: duration,
	toAnswer: duration,
	refusals: fc.constant<Array<number | undefined>>([]),
	fails: fc.constant(false),
	isUrgent: fc.boolean(),
});

/** A call that may be refused, fail, be cancelled or run out of time. */
export const troubledCall: fc.Arbitrary<DrawnCall> = fc.record({
	gap: fc.oneof(fc.constant(0), duration),
	toCount: fc.nat(2_000),
	toAnswer: fc.nat(2_000),
	refusals: fc.oneof(fc.constant<Array<number | undefined>>([]), someRefusals),
	fails: fc.nat(9).map((n) => n === 9),
	isUrgent: fc.nat(3).map((n) => n === 3),
	deadline: fc.option(duration, { nil: undefined }),
	cancelAfter: fc.option(duration, { nil: undefined, freq: 4 }),
});

/** Calls a minute, small enough to matter, or none. */
export const anyLimit = fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined });

/** A clock whose timers end a little early, on time or late, as those of a real machine do. */
export const unevenClock = fc
	.array(fc.constantFrom(-1, 0, 0, 0, 1, 7), { minLength: 1, maxLength: 5 })
	.map((errors) => {
		let turn = 0;
		return () => new FakeClock({ error: () => errors[turn++ % errors.length] });
	});

interface Entry {
	clock: FakeClock;
	queue: CallQueue;
	calls: DrawnCall[];
	/** Sees every sending; the trace does not have it yet. */
	onSend?: (sent: Trace, traces: Trace[]) => void;
	/** How the service responds, unless as drawn. */
	respond?: (drawn: DrawnCall) => Promise<Attempt<number>>;
}

/** Lets calls into a queue, each at its time. The traces fill while the clock goes on. */
export function enter({ clock, queue, calls, onSend, respond }: Entry): Trace[] {
	const traces: Trace[] = [];

	const attempt = async (trace: Trace): Promise<Attempt<number>> => {
		const { drawn } = trace;
		onSend?.(trace, traces);
		const turn = trace.sentAt.push(clock.monotonic()) - 1;
		trace.onTheWire = true;
		try {
			const result = await (respond?.(drawn) ?? answerAsDrawn(clock, drawn, turn));
			if (result.kind === 'refused')
				trace.named.push(clock.monotonic() + (result.retryAfterMs ?? 0));
			return result;
		} finally {
			trace.backAt.push(clock.monotonic());
			trace.onTheWire = false;
		}
	};

	const runOne = async (drawn: DrawnCall): Promise<void> => {
		const trace = newTrace(drawn, clock.monotonic());
		traces.push(trace);
		const options = {
			deadline: drawn.deadline === undefined ? undefined : clock.monotonic() + drawn.deadline,
			signal: cancelAfter(clock, trace),
			isUrgent: drawn.isUrgent,
		};
		try {
			trace.outcome = await queue.run(async () => await attempt(trace), options);
		} catch {
			trace.outcome = { kind: 'failed' };
		}
		trace.settledAt = clock.monotonic();
		trace.settledTimes += 1;
	};

	void (async () => {
		for (const drawn of calls) {
			await clock.sleep(drawn.gap);
			void runOne(drawn);
		}
	})();
	return traces;
}

function newTrace(drawn: DrawnCall, enteredAt: number): Trace {
	const empty = { sentAt: [], backAt: [], named: [], onTheWire: false, settledTimes: 0 };
	return { drawn, enteredAt, ...empty };
}

function cancelAfter(clock: FakeClock, trace: Trace): AbortSignal | undefined {
	if (trace.drawn.cancelAfter === undefined) return undefined;
	const controller = new AbortController();
	void clock.sleep(trace.drawn.cancelAfter).then(() => {
		trace.cancelledAt = clock.monotonic();
		controller.abort();
	});
	return controller.signal;
}

async function answerAsDrawn(
	clock: FakeClock,
	{ toCount, toAnswer, refusals, fails }: DrawnCall,
	turn: number,
): Promise<Attempt<number>> {
	await clock.sleep(toCount + toAnswer);
	if (turn < refusals.length) return { kind: 'refused', retryAfterMs: refusals[turn] };
	if (fails) throw new Error('cut off');
	return { kind: 'answered', value: turn };
}
