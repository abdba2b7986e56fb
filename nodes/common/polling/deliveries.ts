import type { IPollFunctions } from 'n8n-workflow';
import type { Clock } from '../../../transport/clock';
import { Backlog } from './backlog';
import type { MoveOn, Outcome } from './moveOn';
import { isDelivered } from './moveOn';
import type { Progress } from './progress';
import { isPausing, pauseAfter } from './progress';

/**
 * How long n8n may take to store what follows a batch that a poll returned, in milliseconds: ample for
 * a database, and less than the minute between polls, so that the next one reads again what n8n dropped.
 */
export const STORED_WITHIN_MS = 50_000;

/** A batch on its way to the workflow. */
export interface Delivery<P> {
	/** Stored while it is on its way. */
	readonly progress: Progress<P>;
	readonly after: P;
	/** When it was emitted, by the monotonic clock: an execution goes on when the other one is set. */
	readonly at: number;
	/** Whether its execution is awaited; otherwise the poll returns it, and n8n tells no outcome. */
	readonly isAwaited: boolean;
	outcome?: Outcome;
}

export type Step<P> =
	| { do: 'nothing' }
	/** The batch failed too often in a row, and comes again after a pause. Told once per failure. */
	| { do: 'complain'; attempts: number; pauseMs: number }
	/** Nothing is stored, and nothing is known. */
	| { do: 'start' }
	/** Read on from here, or, where a batch is pending, read that one again. */
	| { do: 'read'; progress: Progress<P> };

/** What is left of a poll once it has ended. */
export interface LatestPoll {
	readonly context: IPollFunctions;
	/** Moves on if the last batch is delivered. @throws NodeOperationError if it failed again. */
	afterBatch(): void;
}

/** What decides whether a batch is still on its way. */
interface DeliveryRules {
	moveOn: MoveOn;
	/**
	 * Milliseconds that an execution may take before it counts as one of which n8n will never tell, after
	 * so many of those in a row.
	 */
	longestMs: (untold: number) => number;
}

/**
 * All that one process remembers of a trigger's deliveries: the newest progress, and the batch on its
 * way. n8n may give a poll an older progress than that: with durable cursors what its database held
 * when the poll was prepared, in default mode after a republish what was last stored.
 */
export class Deliveries<P> {
	/** Whether a poll is under way. */
	isPolling = false;
	/** It stores what an execution's end changes: the trigger may have been published again meanwhile. */
	latestPoll?: LatestPoll;
	/** The position from which the trigger would continue after a restart in default mode. */
	kept: P | undefined;
	readonly backlog = new Backlog();
	private newest: Progress<P> | undefined;
	private delivery: Delivery<P> | undefined;
	/** Executions in a row of whose end n8n did not tell in time. */
	private untold = 0;

	/** @param scope What is read. With another one nothing of this holds. */
	constructor(
		readonly scope: string,
		private readonly clock: Clock,
	) {}

	/**
	 * Takes note of what n8n gave this poll and of how the last batch ended.
	 * @returns What to do next.
	 */
	advance(stored: Progress<P> | undefined, rules: DeliveryRules): Step<P> {
		if (stored && stored.revision > this.revision) this.newest = stored;
		const { delivery } = this;
		if (delivery && this.isOnItsWay(delivery, stored, rules)) return { do: 'nothing' };
		const now = this.clock.now();
		this.delivery = undefined;
		if (delivery?.isAwaited) this.untold = delivery.outcome ? 0 : this.untold + 1;
		if (delivery?.isAwaited && this.revision <= delivery.progress.revision) {
			const { progress, after, outcome = 'unknown' } = delivery;
			if (isDelivered(outcome, rules.moveOn)) {
				this.newest = { position: after, revision: progress.revision + 1 };
			} else {
				// The pause begins with the failure, which may come long after the batch was emitted.
				const endedAtTrigger = outcome === 'atTrigger' || undefined;
				const pending = { ...progress.pending!, at: now, endedAtTrigger };
				this.newest = { ...progress, pending };
				const pauseMs = pauseAfter(pending.attempts);
				if (pauseMs > 0) return { do: 'complain', attempts: pending.attempts, pauseMs };
			}
		}
		const progress = this.newest;
		if (!progress) return { do: 'start' };
		return isPausing(progress, now) ? { do: 'nothing' } : { do: 'read', progress };
	}

	/** Goes on from a progress that this process has made, and that n8n may yet have to store. */
	moveTo(progress: Progress<P>): void {
		this.newest = progress;
		if (this.delivery?.isAwaited === false) this.delivery = undefined;
	}

	/** Notes a batch whose execution is awaited. Until its outcome is known there is no other. */
	addAwaited(from: Progress<P>, after: P, end: string | undefined): Delivery<P> {
		const attempts = (from.pending?.attempts ?? 0) + 1;
		const progress = {
			position: from.position,
			revision: from.revision + 1,
			pending: { ...(end !== undefined && { end }), attempts, at: this.clock.now() },
		};
		return (this.delivery = { progress, after, at: this.clock.monotonic(), isAwaited: true });
	}

	/**
	 * Notes a batch that the poll returns to n8n, which is all that is asked for. `newest` stays behind:
	 * what n8n does not store is read again.
	 */
	addReturned(from: Progress<P>, after: P): Progress<P> {
		const progress = { position: after, revision: from.revision + 1 };
		this.delivery = { progress, after, at: this.clock.monotonic(), isAwaited: false };
		return progress;
	}

	/** Whether the next poll will ask for this one. */
	isLast(delivery: Delivery<unknown>): boolean {
		return this.delivery === delivery;
	}

	/** The newest progress that is known, while an execution is awaited the one stored for it. */
	get latest(): Progress<P> | undefined {
		return this.delivery?.isAwaited ? this.delivery.progress : this.newest;
	}

	private get revision(): number {
		return this.newest?.revision ?? -1;
	}

	private isOnItsWay(
		{ progress, at, isAwaited, outcome }: Delivery<P>,
		stored: Progress<P> | undefined,
		{ moveOn, longestMs }: DeliveryRules,
	): boolean {
		const age = this.clock.monotonic() - at;
		return isAwaited
			? outcome === undefined && moveOn !== 'handedOver' && age < longestMs(this.untold)
			: (stored?.revision ?? -1) < progress.revision && age < STORED_WITHIN_MS;
	}
}
