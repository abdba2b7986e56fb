/** How far a reading came, by the times of its entries, in milliseconds since the epoch. */
export class TimeRange {
	/** The latest time read, or where the reading began. */
	readTo: number | undefined;
	/** Time of the last entry that has one, since the reading last restarted. */
	lastDated: number | undefined;
	/** Whether entries without a time came after that one. */
	endsUndated = false;
	/** Whether all times were in order. */
	ascending = true;

	beginAt(since: number | undefined): void {
		this.lastDated = undefined;
		this.readTo = since ?? this.readTo;
	}

	/** @param dated The entry's own time, if it has one. */
	add(dated: number | undefined): void {
		this.endsUndated = dated === undefined;
		if (dated === undefined) return;
		if (dated < (this.lastDated ?? -Infinity)) this.ascending = false;
		this.lastDated = dated;
		this.readTo = Math.max(dated, this.readTo ?? 0);
	}
}
