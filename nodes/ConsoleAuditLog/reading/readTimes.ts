import type { DeliveredDigest } from './pollState';

/** How far a reading came, by the times of what it met, in milliseconds since the epoch. */
export class ReadTimes {
	/** Time of the last entry that has one, or where the reading began. */
	readTo: number | undefined;
	/** Time of the last entry that has one, since the reading last began anew. */
	lastDated: number | undefined;
	/** Whether entries without a time came after that one. */
	endsUndated = false;
	/** Whether all times were in order. */
	ascending = true;
	/** New entries without a time, until the next entry that has one. */
	private undated: DeliveredDigest[] = [];

	beginAt(since: number | undefined): void {
		this.undated = [];
		this.lastDated = undefined;
		this.readTo = since ?? this.readTo;
	}

	/** @param dated The entry's own time, if it has one. */
	note(dated: number | undefined): void {
		this.endsUndated = dated === undefined;
		if (dated === undefined) return;
		if (dated < (this.lastDated ?? -Infinity)) this.ascending = false;
		this.lastDated = dated;
		this.readTo = Math.max(dated, this.readTo ?? 0);
		for (const entry of this.undated) entry.time = this.readTo;
		this.undated = [];
	}

	/** An entry without a time counts as generated with the next that has one. */
	awaitTime(delivered: DeliveredDigest): void {
		this.undated.push(delivered);
	}
}
