import { systemClock, type Clock } from '../clock';
import { CallQueue } from './callQueue';

/** What a credential says of its license, at the moment when a node reads it. */
export interface StatedRate {
	credentialId: string;
	/** `undefined` where only refusals slow the calls. */
	callsPerMinute?: number;
	/** By the monotonic clock, in milliseconds: an execution may go on with what it read long ago. */
	statedAt: number;
}

interface SharedQueue {
	queue: CallQueue;
	/** By credential, and when it was used last. */
	rates: Map<string, StatedRate & { usedAt: number }>;
}

/** How long a rate that is not used is remembered: a pause lasts a day at the most, a call an hour or two. */
const REMEMBERED_MS = 24 * 3_600_000;

/** The same where there is none: longer than a call that might be refused takes. */
const WITHOUT_RATE_MS = 10 * 60_000;

/** How often unused ones are looked for: not at each call, as thousands of tokens may be in use. */
const FORGOTTEN_EVERY_MS = 60_000;

/** One queue per key. Those no longer used are dropped, so that old tokens take no memory. */
export class QueueRegistry {
	private readonly shared = new Map<string, SharedQueue>();
	private forgotAt = -Infinity;

	constructor(
		private readonly clock: Clock,
		private readonly random: () => number,
	) {}

	get size(): number {
		return this.shared.size;
	}

	/**
	 * The queue of `key`; it may be dropped once unused, so ask again for every call. Of a credential
	 * its newest rate counts, whoever asks; of all credentials with the key, the smallest.
	 */
	queueFor(key: string, stated: StatedRate): CallQueue {
		const now = this.clock.monotonic();
		this.forgetUnused(now);
		const { queue, rates } = this.shared.get(key) ?? this.add(key);
		const known = rates.get(stated.credentialId);
		const newest = known && known.statedAt > stated.statedAt ? known : stated;
		rates.set(stated.credentialId, { ...newest, usedAt: now });
		const limits = [...rates.values()].map(({ callsPerMinute = Infinity }) => callsPerMinute);
		queue.setCallsPerMinute(Math.min(...limits));
		return queue;
	}

	/** Calls a minute that all with `key` may make together, as of the last call; `undefined` before the first. */
	callsPerMinute(key: string): number | undefined {
		return this.shared.get(key)?.queue.callsPerMinute;
	}

	private add(key: string): SharedQueue {
		const queue = new CallQueue({ clock: this.clock, random: this.random });
		const shared: SharedQueue = { queue, rates: new Map() };
		this.shared.set(key, shared);
		return shared;
	}

	private forgetUnused(now: number): void {
		if (now - this.forgotAt < FORGOTTEN_EVERY_MS) return;
		this.forgotAt = now;
		for (const [key, { queue, rates }] of this.shared) {
			for (const [credentialId, { usedAt, callsPerMinute }] of rates) {
				const rememberedMs = callsPerMinute === undefined ? WITHOUT_RATE_MS : REMEMBERED_MS;
				if (now - usedAt > rememberedMs) rates.delete(credentialId);
			}
			if (rates.size === 0 && queue.isIdle()) this.shared.delete(key);
		}
	}
}

const queuesOfThisProcess = new QueueRegistry(systemClock, Math.random);

/** Of the queues that all nodes and executions of this process share, as `QueueRegistry.callsPerMinute`. */
export function callsPerMinuteOf(key: string): number | undefined {
	return queuesOfThisProcess.callsPerMinute(key);
}

/** The queue that all nodes and executions of this process share, as `QueueRegistry.queueFor`. */
export const queueFor: QueueRegistry['queueFor'] = (...parameters) =>
	queuesOfThisProcess.queueFor(...parameters);
