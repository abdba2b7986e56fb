import { isDeepStrictEqual } from 'node:util';
import type { SandboxEntry } from './auditLogReader.cts';

export interface EntryComparison {
	/** Entries of the log, between the first and the last emitted one, that were not emitted. */
	lost: SandboxEntry[];
	/** Ids that were emitted more than once. */
	twice: string[];
	/** Emitted items that are not, to the letter, an entry of the log. */
	altered: unknown[];
	/** Whether the entries came in the order of the log. */
	inOrder: boolean;
}

/** Compares what a trigger emitted, in the order of its executions, with the log it polled. */
export function compareEntries(
	emitted: readonly unknown[],
	log: readonly SandboxEntry[],
): EntryComparison {
	const positions = new Map(log.map((entry, position) => [entry.auditlogId, position]));
	const times = new Map<number, number>();
	const altered: unknown[] = [];
	let inOrder = true;
	let previous = -1;
	for (const item of emitted) {
		const position = positions.get(idOf(item)) ?? -1;
		if (!isDeepStrictEqual(item, log[position])) {
			altered.push(item);
			continue;
		}
		times.set(position, (times.get(position) ?? 0) + 1);
		if (position < previous) inOrder = false;
		previous = position;
	}
	const found = [...times.keys()];
	const [first, last] = [Math.min(...found), Math.max(...found)];
	return {
		lost: log.filter((_, position) => position > first && position < last && !times.has(position)),
		twice: found.filter((position) => Number(times.get(position)) > 1).map(idAt(log)),
		altered,
		inOrder,
	};
}

const idAt = (log: readonly SandboxEntry[]) => (position: number) => log[position].auditlogId;

function idOf(item: unknown): string {
	return String((item as Partial<SandboxEntry> | null)?.auditlogId);
}
