import { systemClock, type Clock } from '../clock';
import { CallQueue } from './callQueue';

interface SharedQueue {
	queue: CallQueue;
	/** Calls a minute by credential: the smallest counts, since all of them use one token. */
	limits: Map<string, number>;
}

/** One queue per key. Idle queues are dropped, so that tokens no longer used take no memory. */
export class QueueRegistry {
	private readonly shared = new Map<string, SharedQueue>();

	constructor(
		private readonly clock: Clock,
		private readonly random: () => number,
	) {}

	get size(): number {
		return this.shared.size;
	}

	/**
	 * The queue of `key`. It may be dropped once idle: ask again for every call.
	 * @param callsPerMinute of the credential, as it is now
	 * @param credentialId tells an edited limit from that of another credential with the same token
	 */
	queueFor(key: string, callsPerMinute: number | undefined, credentialId: string): CallQueue {
		const { queue, limits } = this.shared.get(key) ?? this.add(key);
		limits.set(credentialId, callsPerMinute ?? Infinity);
		queue.setCallsPerMinute(Math.min(...limits.values()));
		return queue;
	}

	private add(key: string): SharedQueue {
		for (const [other, { queue }] of this.shared) if (queue.isIdle()) this.shared.delete(other);
		const queue = new CallQueue({ clock: this.clock, random: this.random });
		const shared = { queue, limits: new Map<string, number>() };
		this.shared.set(key, shared);
		return shared;
	}
}

const queuesOfThisProcess = new QueueRegistry(systemClock, Math.random);

/** The queue that all nodes and executions of this process share, as `QueueRegistry.queueFor`. */
export const queueFor: QueueRegistry['queueFor'] = (...parameters) =>
	queuesOfThisProcess.queueFor(...parameters);
