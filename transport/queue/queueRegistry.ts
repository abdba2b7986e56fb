import { CallQueue } from './callQueue';
import { systemClock, type Clock } from '../clock';

/** One queue per key. Idle queues are dropped, so that tokens no longer used take no memory. */
export class QueueRegistry {
	private readonly queues = new Map<string, CallQueue>();

	constructor(
		private readonly clock: Clock,
		private readonly random: () => number,
	) {}

	get size(): number {
		return this.queues.size;
	}

	/**
	 * The queue of `key`. It may be dropped once idle: ask again for every call.
	 * @param callsPerMinute applied also to a queue that exists already
	 */
	queueFor(key: string, callsPerMinute: number | undefined): CallQueue {
		const known = this.queues.get(key);
		if (known) {
			known.setCallsPerMinute(callsPerMinute);
			return known;
		}
		this.dropIdle();
		const queue = new CallQueue({ callsPerMinute, clock: this.clock, random: this.random });
		this.queues.set(key, queue);
		return queue;
	}

	private dropIdle(): void {
		for (const [key, queue] of this.queues) if (queue.isIdle()) this.queues.delete(key);
	}
}

const queuesOfThisProcess = new QueueRegistry(systemClock, Math.random);

/**
 * The queue that all nodes and executions of this process share for a service and token.
 * @param key digest of the service's address and the token
 * @param callsPerMinute see `CallQueueOptions`
 */
export function queueFor(key: string, callsPerMinute: number | undefined): CallQueue {
	return queuesOfThisProcess.queueFor(key, callsPerMinute);
}
