/** What draining a log of that many entries took. */
export interface LogCost {
	entries: number;
	milliseconds: number;
}

/** Milliseconds of a log of n entries: `fixed + n × perEntry`. */
export interface StraightLine {
	fixed: number;
	perEntry: number;
}

/**
 * The line with the least relative errors: a log of a thousand entries counts as much as one of a
 * million.
 */
export function straightLine(costs: readonly LogCost[]): StraightLine {
	const weighted = costs.map(({ entries, milliseconds }) => ({
		entries,
		milliseconds,
		weight: milliseconds ** -2,
	}));
	const sum = (part: (cost: (typeof weighted)[number]) => number): number =>
		weighted.reduce((total, cost) => total + cost.weight * part(cost), 0);
	const [w, x, y] = [sum(() => 1), sum((c) => c.entries), sum((c) => c.milliseconds)];
	const xy = sum((c) => c.entries * c.milliseconds);
	const xx = sum((c) => c.entries ** 2);
	const slope = (w * xy - x * y) / (w * xx - x * x);
	return { fixed: (y - slope * x) / w, perEntry: slope };
}
