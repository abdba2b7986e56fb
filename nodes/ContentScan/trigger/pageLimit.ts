import { PAGE_SIZE } from '../../../services/scanning/scanList';

/** So often in a row a page was refused that was answered with a lower limit, and held no more than that. */
const ENOUGH = 3;

/** A lower limit would cost hundreds of calls a minute. */
const LEAST = PAGE_SIZE / 10;

/** So long, in milliseconds, the lower limit is kept before a usual one is tried again. */
const KEPT_FOR_MS = 3_600_000;

/** How many records of a page a service lets one ask for: no largest number is published. */
export class PageLimit {
	private lower = PAGE_SIZE;
	private refusals = 0;
	private learnedAt = -Infinity;

	/** @param now In milliseconds of the monotonic clock. */
	at(now: number): number {
		return now - this.learnedAt < KEPT_FOR_MS ? this.lower : PAGE_SIZE;
	}

	answered(limit: number): void {
		if (limit === PAGE_SIZE) this.refusals = 0;
	}

	/** The same records were refused with the usual limit, and are answered with this one. */
	refusedAbove(limit: number, now: number): void {
		if (limit < LEAST || ++this.refusals < ENOUGH) return;
		this.lower = limit;
		this.learnedAt = now;
	}
}
