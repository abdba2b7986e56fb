import type { ListBudget } from '../../../services/scanning/listBudget';
import { scanPages } from '../../../services/scanning/scanList';
import type { ScanService } from '../../../services/scanning/scanService';
import type { Call } from '../../../transport/call';
import type { Clock } from '../../../transport/clock';
import type { ListMemory } from './listMemory';

/** The list of scans, as a poll reads it. */
export interface PolledList {
	scans: ScanService;
	budget: ListBudget;
	filters: NonNullable<Call['query']>;
	clock: Clock;
	/** When to stop, in milliseconds of the clock. */
	deadline: number;
}

/** The same, with what earlier polls leave to one. */
export interface ContinuedList extends PolledList {
	/** How long ago it was last read, in milliseconds. */
	unreadMs: number;
	/** The same, or since when a batch is looked for that comes again, in milliseconds. */
	unreadOrSoughtMs: number;
	memory: ListMemory;
}

export const PURPOSE = 'read the list of scans';

/** After so long, in milliseconds, the list is read whatever others have spent. */
export const OVERDUE_MS = 5 * 60_000;

interface PageOptions {
	/** The `nextQuery` of a page, to go on behind it. */
	from?: string;
	/** How long an answer may take at most to begin. */
	patienceMs?: number;
	/** How long after it was first sent a call may be repeated, in milliseconds. */
	repeatsForMs?: number;
}

/** Pages of the list, each paid for before it is asked for. */
export function pagesOf(
	list: PolledList,
	query: NonNullable<Call['query']>,
	{ from, patienceMs = Infinity, repeatsForMs }: PageOptions = {},
) {
	const { scans, budget, filters, deadline, clock } = list;
	const context = () => {
		budget.spend();
		// Where one call gets no answer, there is time for another.
		const half = Math.max(1, Math.ceil((deadline - clock.now()) / 2));
		const answerWithinMs = Math.min(half, patienceMs);
		const onRetry = () => budget.spend();
		return { deadline, answerWithinMs, isUrgent: true, repeatsForMs, onRetry };
	};
	return scanPages(scans, { ...filters, ...query }, context, PURPOSE, from);
}
