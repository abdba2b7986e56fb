import { indexOf } from '../../sandbox/console/generatedEntries.cts';

/**
 * Checks delivered entries against the sandbox's generator as they come, without keeping them: each
 * entry's id holds its place in the log.
 */
export class EntryCheck {
	private readonly delivered: Uint8Array;
	private last = -1;
	count = 0;
	twice = 0;
	outOfOrder = 0;
	unknown = 0;

	/** @param seed The sandbox's. */
	constructor(
		private readonly entries: number,
		private readonly seed: number,
	) {
		this.delivered = new Uint8Array(entries);
	}

	/** Entries as JSON, each on a line that ends with a newline. */
	takeLines(text: string): void {
		for (let from = 0; from < text.length; ) {
			const end = text.indexOf('\n', from);
			this.take((JSON.parse(text.slice(from, end)) as { auditlogId: unknown }).auditlogId);
			from = end + 1;
		}
	}

	take(id: unknown): void {
		const index = indexOf(this.seed, String(id));
		if (index === null || index >= this.entries) {
			this.unknown += 1;
			return;
		}
		if (index < this.last) this.outOfOrder += 1;
		this.last = index;
		if (this.delivered[index] === 1) {
			this.twice += 1;
			return;
		}
		this.delivered[index] = 1;
		this.count += 1;
	}

	get missing(): number {
		return this.entries - this.count;
	}
}
