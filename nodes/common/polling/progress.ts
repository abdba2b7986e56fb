import { isRecord } from '../../../transport/isRecord';

/** How far a trigger is; n8n stores it as one value. */
export interface Progress<P> {
	/** Where the service was read up to. Everything before it is delivered. */
	position: P;
	/** Raised with every batch and with every end of one: tells an older progress from a newer. */
	revision: number;
	/** The batch that was emitted from this position and is not known to be delivered. */
	pending?: PendingBatch;
}

interface PendingBatch {
	/** What has the source read the same batch again. */
	end?: string;
	attempts: number;
	/** When it was emitted last, or, after a failure, when that was told, in milliseconds since the epoch. */
	at: number;
	/** Whether its last execution ended at the trigger, which is believed the second time in a row. */
	endedAtTrigger?: boolean;
}

/** More than any trigger delivers: a stored count beyond it is damaged, and could not be raised. */
const MOST_BATCHES = 1e12;

/** Deliveries that may fail in a row before the trigger complains and makes pauses. */
const TOLERATED_FAILURES = 2;

const SHORTEST_PAUSE_MS = 60_000;
const LONGEST_PAUSE_MS = 3_600_000;

/** The pause after so many deliveries of a batch, in milliseconds: from a minute to an hour. */
export function pauseAfter(attempts: number): number {
	const beyond = attempts - TOLERATED_FAILURES - 1;
	return beyond < 0 ? 0 : Math.min(SHORTEST_PAUSE_MS * 2 ** beyond, LONGEST_PAUSE_MS);
}

/** Whether a batch that failed is not to come again yet. A clock that was set back makes no pause longer. */
export function isPausing({ pending }: Progress<unknown>, now: number): boolean {
	return (
		pending !== undefined && now >= pending.at && now < pending.at + pauseAfter(pending.attempts)
	);
}

/** As n8n stores it: the position, and one field more. */
export function packProgress({ position, ...delivery }: Progress<object>, nodeId: string): object {
	return { ...position, delivery: { ...delivery, node: nodeId } };
}

/** The ID of the node that stored it. */
export function nodeOf(stored: unknown): unknown {
	return isRecord(stored) && isRecord(stored.delivery) ? stored.delivery.node : undefined;
}

export function revisionOf(stored: unknown): number {
	return unpackProgress(stored)?.revision ?? -1;
}

/**
 * What was stored, its position as it was and yet to be checked.
 * @returns `undefined` where nothing is stored. A count that cannot be read begins anew: it says only
 * what came before, and the batch that follows the position comes again.
 */
export function unpackProgress(stored: unknown): Progress<unknown> | undefined {
	if (stored === undefined || stored === null) return undefined;
	if (!isRecord(stored)) return { position: stored, revision: 0 };
	const { delivery, ...position } = stored;
	const { revision, pending } = isRecord(delivery) ? delivery : {};
	return {
		position,
		revision: isNatural(revision) && revision < MOST_BATCHES ? revision : 0,
		...(isPending(pending) && { pending }),
	};
}

function isNatural(value: unknown): value is number {
	return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isPending(value: unknown): value is PendingBatch {
	return (
		isRecord(value) &&
		isNatural(value.attempts) &&
		typeof value.at === 'number' &&
		(value.end === undefined || typeof value.end === 'string') &&
		(value.endedAtTrigger === undefined || typeof value.endedAtTrigger === 'boolean')
	);
}
