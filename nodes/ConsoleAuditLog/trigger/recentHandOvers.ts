import { digestOf } from '../reading/entryIdentity';
import type { PollState } from '../reading/pollState';

/**
 * How long n8n may take to store the position that follows a hand-over, in milliseconds: ample for a
 * database, and less than the minute between polls, so that the next one reads again what n8n dropped.
 */
export const STORED_WITHIN_MS = 50_000;

interface Position {
	digest: string;
	/** When it was met or, if it is passed, when that happened, in milliseconds of the clock. */
	at: number;
	passed: boolean;
}

/**
 * Positions of one trigger from which entries were handed over a moment ago. With durable cursors n8n
 * gives a poll the position that its database held when the poll was prepared, and stores the one
 * that follows after the poll has returned. Of polls that come close together (several poll times, or
 * what n8n catches up with after a restart) one may begin where another has been already, and would
 * hand the same entries over again.
 */
export class RecentHandOvers {
	private recent: Position[] = [];

	/** Notes a position from which a poll begins, or that it leaves behind without a hand-over. */
	meet(position: PollState, now: number): void {
		this.recent = [
			...this.recentAt(now),
			{ digest: digestOf(JSON.stringify(position)), at: now, passed: false },
		];
	}

	/** Notes that entries after the positions met so far are about to be returned. */
	pass(now: number): void {
		this.recent = this.recentAt(now).map((position) => ({ ...position, at: now, passed: true }));
	}

	/** Whether n8n may still be storing what followed this position. */
	has(position: PollState, now: number): boolean {
		const passed = this.recentAt(now).filter((one) => one.passed);
		if (passed.length === 0) return false;
		const digest = digestOf(JSON.stringify(position));
		return passed.some((one) => one.digest === digest);
	}

	private recentAt(now: number): Position[] {
		return this.recent.filter(({ at }) => Math.abs(now - at) < STORED_WITHIN_MS);
	}
}
