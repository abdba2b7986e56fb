import type { MoveOn, Outcome } from './moveOn';
import { isDelivered } from './moveOn';
import type { PendingBatch, Progress } from './progress';
import { pauseAfter } from './progress';

/**
 * How long n8n may take to store what follows a batch that a poll returned, in milliseconds: ample for
 * a database, and less than the minute between polls, so that the next one reads again what n8n dropped.
 */
export const STORED_WITHIN_MS = 50_000;

/** A batch on its way. Whoever started its execution sets the outcome when n8n tells it. */
export interface Delivery<P> {
	/** As it was stored when the batch was handed over. */
	readonly progress: Progress<P>;
	/** The position behind the batch. */
	readonly after: P;
	/** When, in milliseconds of the clock. */
	readonly at: number;
	/** Whether the poll returned it; n8n tells no outcome then. */
	readonly isReturned: boolean;
	outcome?: Outcome;
}

/** What a poll is to do. */
export type Step<P> =
	/** Nothing. */
	| { do: 'wait' }
	/** Complain once: the batch failed so often in a row, and comes again after a pause. */
	| { do: 'complain'; attempts: number; pauseMs: number }
	/** Begin: nothing is stored, and nothing is known. */
	| { do: 'start' }
	/** Read on from here, or, where a batch is pending, read that one again. */
	| { do: 'read'; progress: Progress<P> };

/**
 * All that one process remembers of a trigger's deliveries: the newest progress, and the batch on its
 * way. n8n may give a poll an older progress than that: with durable cursors what its database held
 * when the poll was prepared, in default mode after a republish what was last stored.
 */
export class Deliveries<P> {
	private newest: Progress<P> | undefined;
	private delivery: Delivery<P> | undefined;

	/** @param scope What is read. With another one nothing of this holds. */
	constructor(readonly scope: string) {}

	/**
	 * @param stored What n8n gave this poll.
	 * @param now Milliseconds of the clock.
	 * @param longestMs How long an execution may take, in milliseconds, before it counts as one of
	 * which n8n will never tell.
	 */
	next(
		stored: Progress<P> | undefined,
		{ moveOn, now, longestMs }: { moveOn: MoveOn; now: number; longestMs: number },
	): Step<P> {
		if (stored && stored.revision > this.revision) this.newest = stored;
		const { delivery } = this;
		if (delivery && this.isUnderWay(delivery, stored, moveOn, now, longestMs))
			return { do: 'wait' };
		this.delivery = undefined;
		if (delivery && !delivery.isReturned && this.revision <= delivery.progress.revision) {
			const { progress, after, outcome = 'unknown' } = delivery;
			const { revision, pending } = progress;
			if (isDelivered(outcome, moveOn)) {
				this.newest = { position: after, revision: revision + 1 };
			} else {
				// The pause begins with the failure, which may come long after the hand-over.
				const { attempts, end } = pending!;
				this.newest = { ...progress, pending: { end, attempts, at: now } };
				const pauseMs = pauseAfter(attempts);
				if (pauseMs > 0) return { do: 'complain', attempts, pauseMs };
			}
		}
		const progress = this.newest;
		if (!progress) return { do: 'start' };
		return isPausing(progress.pending, now) ? { do: 'wait' } : { do: 'read', progress };
	}

	/** Keeps a progress that this process has made, and that n8n may yet have to store. */
	keep(progress: Progress<P>): void {
		this.newest = progress;
	}

	/**
	 * A batch is about to be handed over; until its outcome is known there is no other.
	 * @param from Where it was read from.
	 * @param end Where it ended.
	 * @returns It, with what is to be stored.
	 */
	handOver(from: Progress<P>, after: P, at: number, end: string | undefined): Delivery<P> {
		const attempts = (from.pending?.attempts ?? 0) + 1;
		const progress = {
			position: from.position,
			revision: from.revision + 1,
			pending: { ...(end !== undefined && { end }), attempts, at },
		};
		return (this.delivery = { progress, after, at, isReturned: false });
	}

	/** A batch is about to be returned to n8n, which is all that is asked for. */
	returned(from: Progress<P>, after: P, at: number): Delivery<P> {
		const progress = { position: after, revision: from.revision + 1 };
		return (this.delivery = { progress, after, at, isReturned: true });
	}

	/** Whether it is still the one that the next poll will ask for. */
	isOnItsWay(delivery: Delivery<P>): boolean {
		return this.delivery === delivery;
	}

	private get revision(): number {
		return this.newest?.revision ?? -1;
	}

	private isUnderWay(
		{ progress, at, isReturned, outcome }: Delivery<P>,
		stored: Progress<P> | undefined,
		moveOn: MoveOn,
		now: number,
		longestMs: number,
	): boolean {
		const isYoung = (ms: number) => Math.abs(now - at) < ms;
		if (isReturned)
			return (stored?.revision ?? -1) < progress.revision && isYoung(STORED_WITHIN_MS);
		return outcome === undefined && moveOn !== 'handedOver' && isYoung(longestMs);
	}
}

function isPausing(pending: PendingBatch | undefined, now: number): boolean {
	if (!pending) return false;
	const passed = now - pending.at;
	// A clock that was set back must not make a pause longer.
	return passed >= 0 && passed < pauseAfter(pending.attempts);
}
