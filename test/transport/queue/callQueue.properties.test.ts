import fc from 'fast-check';
import { CallQueue } from '../../../transport/queue/callQueue';
import { FakeClock } from '../../support/fakeClock.cts';
import { propertyRuns } from '../../support/propertyRuns.cts';
import { RateLimitedServer } from '../../support/rateLimitedServer';
import {
	anyLimit,
	enter,
	slowCall,
	troubledCall,
	unevenClock,
	type Trace,
} from '../../support/tracedCalls';

const MINUTE = 60_000;

// Thousands of runs, on a machine that may be busy; more with FC_RUNS.
jest.setTimeout(600_000);

/** The most of `times` within any 60 s, both ends included. */
function mostInAMinute(times: number[]): number {
	const sorted = [...times].sort((a, b) => a - b);
	let oldest = 0;
	return sorted.reduce((most, time, position) => {
		while (sorted[oldest] < time - MINUTE) oldest += 1;
		return Math.max(most, position - oldest + 1);
	}, 0);
}

/** The spans of time that a call waited: until each sending, or until it left. */
function waits(trace: Trace): Array<[from: number, to: number]> {
	const { enteredAt, sentAt, backAt, settledAt = Infinity } = trace;
	return [enteredAt, ...backAt].map((from, turn) => [from, sentAt[turn] ?? settledAt]);
}

/** Whether a call is waiting now and will not leave before it was sent. */
function staysInLine({
	drawn,
	onTheWire,
	cancelledAt,
	settledTimes,
	sentAt,
	named,
}: Trace): boolean {
	const waiting = !onTheWire && settledTimes === 0 && sentAt.length === named.length;
	return waiting && cancelledAt === undefined && drawn.deadline === undefined;
}

interface Sending {
	at: number;
	back: number;
	refused: boolean;
	accepted: boolean;
}

function sendings({ sentAt, backAt, named, outcome }: Trace): Sending[] {
	return sentAt.map((at, turn) => ({
		at,
		back: backAt[turn],
		refused: turn < named.length,
		accepted: turn === named.length && outcome?.kind === 'answered',
	}));
}

describe('a service that counts exactly', () => {
	test('refuses nothing, whenever it counts and however long it takes', async () => {
		const limits = fc.integer({ min: 1, max: 6 });
		const manyCalls = fc.array(slowCall, { minLength: 1, maxLength: 30 });
		await fc.assert(
			fc.asyncProperty(limits, manyCalls, unevenClock, async (limit, calls, newClock) => {
				const clock = newClock();
				const queue = new CallQueue({ callsPerMinute: limit, clock, random: () => 0 });
				let turn = 0;
				const latency = () => calls[turn++];
				const server = new RateLimitedServer({ clock, limit, latency });
				const traces = enter({ clock, queue, calls, respond: async () => await server.call(1) });
				await clock.run();
				expect(server.refused).toEqual([]);
				expect(traces.map(({ outcome }) => outcome?.kind)).toEqual(calls.map(() => 'answered'));
			}),
			propertyRuns(400),
		);
	});

	test('is used fully: instant calls take a minute for each time the limit is exhausted', async () => {
		const limits = fc.integer({ min: 1, max: 40 });
		await fc.assert(
			fc.asyncProperty(limits, fc.integer({ min: 1, max: 200 }), async (limit, count) => {
				const clock = new FakeClock();
				const start = clock.monotonic();
				const queue = new CallQueue({ callsPerMinute: limit, clock, random: () => 0 });
				for (let n = 0; n < count; n++) {
					void queue.run(async () => await Promise.resolve({ kind: 'answered', value: n }));
				}
				await clock.run();
				const least = MINUTE * Math.floor((count - 1) / limit);
				expect(clock.monotonic() - start).toBeGreaterThanOrEqual(least);
				expect(clock.monotonic() - start).toBeLessThanOrEqual(least * 1.001);
			}),
			propertyRuns(200),
		);
	});
});

describe('whatever becomes of the calls', () => {
	interface World {
		traces: Trace[];
		callsPerMinute?: number;
		clock: FakeClock;
	}

	/** Any mixture of refusals, failures, deadlines and cancellations. */
	async function always(
		check: (world: World) => void,
		onSend?: (sent: Trace, traces: Trace[], clock: FakeClock) => void,
	): Promise<void> {
		const anyCalls = fc.array(troubledCall, { minLength: 1, maxLength: 20 });
		const chances = fc.double({ min: 0, max: 0.999, noNaN: true });
		await fc.assert(
			fc.asyncProperty(
				anyLimit,
				anyCalls,
				unevenClock,
				chances,
				async (callsPerMinute, calls, newClock, chance) => {
					const clock = newClock();
					const queue = new CallQueue({ callsPerMinute, clock, random: () => chance });
					const wrong: unknown[] = [];
					const watch = (sent: Trace, traces: Trace[]) => {
						try {
							onSend?.(sent, traces, clock);
						} catch (error) {
							wrong.push(error);
						}
					};
					const traces = enter({ clock, queue, calls, onSend: watch });
					await clock.run();
					if (wrong.length > 0) throw wrong[0];
					check({ traces, callsPerMinute, clock });
				},
			),
			propertyRuns(200),
		);
	}

	test('each gets exactly one outcome, and nothing goes on sleeping', async () => {
		await always(({ traces, clock }) => {
			expect(traces.map(({ settledTimes }) => settledTimes)).toEqual(traces.map(() => 1));
			expect(clock.sleeping).toBe(0);
		});
	});

	test('each is sent again only after a refusal, and never twice at a time', async () => {
		await always(
			({ traces }) => {
				for (const { sentAt, named, outcome } of traces) {
					const ended = outcome?.kind === 'answered' || outcome?.kind === 'failed';
					expect(sentAt).toHaveLength(named.length + (ended ? 1 : 0));
				}
			},
			(sent) => expect(sent.onTheWire).toBe(false),
		);
	});

	/** Those before which a call goes: what came later, of polls and of executions apart. */
	const behind = (trace: Trace, traces: Trace[]) =>
		traces
			.slice(traces.indexOf(trace) + 1)
			.filter(({ drawn }) => drawn.isUrgent === trace.drawn.isUrgent);

	test('none is overtaken: when one is sent, no earlier one of its kind is waiting', async () => {
		await always(
			({ traces }) => {
				for (const trace of traces) {
					const later = behind(trace, traces).flatMap(({ sentAt }) => sentAt);
					for (const [from, to] of waits(trace)) {
						expect(later.filter((at) => at > from && at < to)).toEqual([]);
					}
				}
			},
			(sent, traces) => {
				const before = traces.filter((other) => behind(other, traces).includes(sent));
				expect(before.filter(staysInLine)).toEqual([]);
			},
		);
	});

	test('no more are sent in any 60 s than the license allows', async () => {
		await always(({ traces, callsPerMinute = Infinity }) => {
			const times = traces.flatMap(({ sentAt }) => sentAt);
			expect(mostInAMinute(times)).toBeLessThanOrEqual(callsPerMinute);
		});
	});

	test('none is sent before the time that a refusal named', async () => {
		await always(
			() => undefined,
			(_, traces, clock) => {
				const named = traces.flatMap((trace) => trace.named);
				expect(Math.max(0, ...named)).toBeLessThanOrEqual(clock.monotonic());
			},
		);
	});

	test('from a refusal until one is accepted, they are sent one at a time', async () => {
		await always(({ traces }) => {
			const all = traces.flatMap(sendings);
			const refusals = all.filter(({ refused }) => refused);
			// One that comes while another was on the wire is part of the same refusal.
			const first = ({ at, back }: Sending) =>
				!refusals.some((other) => other.back > at && other.back < back);
			for (const refusal of refusals.filter(first)) {
				const after = all.filter(({ at }) => at > refusal.back);
				const accepted = after.filter((sending) => sending.accepted).map(({ back }) => back);
				for (const one of after.filter(({ at }) => at < Math.min(...accepted))) {
					expect(after.filter(({ at, back }) => at < one.at && back > one.at)).toEqual([]);
				}
			}
		});
	});

	test('none is sent at its deadline or later, nor waits on beyond it', async () => {
		await always(({ traces }) => {
			for (const trace of traces) {
				const { drawn, enteredAt, sentAt, backAt, settledAt = 0, outcome } = trace;
				const deadline = enteredAt + (drawn.deadline ?? Infinity);
				expect(Math.max(-Infinity, ...sentAt)).toBeLessThan(deadline);
				if (outcome?.kind !== 'expired') continue;
				expect(settledAt).toBeLessThanOrEqual(Math.max(deadline, ...backAt) + 10);
			}
		});
	});

	test('one that leaves before its deadline had no chance: nothing is sent until then', async () => {
		await always(({ traces }) => {
			for (const { drawn, enteredAt, settledAt = 0, outcome } of traces) {
				if (outcome?.kind !== 'expired') continue;
				const sent = traces.flatMap(({ sentAt }) => sentAt);
				const deadline = enteredAt + (drawn.deadline ?? 0);
				const from = settledAt;
				expect(from + outcome.retryAfterMs).toBeGreaterThanOrEqual(deadline);
				expect(sent.filter((at) => at > from && at < from + outcome.retryAfterMs)).toEqual([]);
			}
		});
	});

	test('one that is cancelled while it waits leaves at that moment', async () => {
		await always(({ traces }) => {
			for (const { sentAt, backAt, cancelledAt = Infinity, settledAt, outcome } of traces) {
				expect(Math.max(0, ...sentAt)).toBeLessThanOrEqual(cancelledAt);
				if (outcome?.kind === 'cancelled') expect(settledAt).toBe(Math.max(cancelledAt, ...backAt));
			}
		});
	});

	test('waitedMs is the time until the outcome without the time on the wire', async () => {
		await always(({ traces }) => {
			for (const { enteredAt, settledAt = 0, sentAt, backAt, outcome } of traces) {
				if (!outcome || outcome.kind === 'failed') continue;
				const onTheWire = backAt.reduce((sum, at, turn) => sum + at - sentAt[turn], 0);
				expect(outcome.waitedMs).toBe(settledAt - enteredAt - onTheWire);
			}
		});
	});

	test('the queue of one token is as if no other existed', async () => {
		const calls = fc.array(troubledCall, { minLength: 1, maxLength: 10 });
		await fc.assert(
			fc.asyncProperty(anyLimit, calls, anyLimit, calls, async (limit, mine, other, others) => {
				const fates = async (withOthers: boolean) => {
					const clock = new FakeClock();
					const queueOf = (callsPerMinute: number | undefined) =>
						new CallQueue({ callsPerMinute, clock, random: () => 0.5 });
					if (withOthers) enter({ clock, queue: queueOf(other), calls: others });
					const traces = enter({ clock, queue: queueOf(limit), calls: mine });
					await clock.run();
					return traces.map(({ sentAt, settledAt, outcome }) => ({ sentAt, settledAt, outcome }));
				};
				expect(await fates(true)).toEqual(await fates(false));
			}),
			propertyRuns(200),
		);
	});
});
