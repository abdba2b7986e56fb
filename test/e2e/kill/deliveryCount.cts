import type { ExecutionRow } from '../triggerInN8n/executionRows.cts';

/** What became of the entries that the console had, or of the scans of the service. */
export interface DeliveryCount {
	/** Entries that the console had. */
	produced: number;
	/** Of these, the ones that stand in at least one execution row. */
	delivered: number;
	/** Ids that stand in none. */
	lost: string[];
	/** Ids that stand in more than one execution row, or twice in one. */
	twice: string[];
	/** Of these, the ones that came again although no kill had stopped an execution that held them. */
	twiceAfterItsEnd: string[];
	/** Ids in execution rows that the console never had. */
	invented: string[];
	executions: number;
	/** Of these, the ones without entries, which store that a batch is delivered. */
	withoutEntries: number;
	/** Executions that a kill stopped before their end, by what n8n made of them afterwards. */
	interrupted: {
		/** n8n gave them up. */
		crashed: number;
		/** n8n ran them again, from the entries in their row. */
		ranAgain: number;
		/** n8n left them as they were. */
		left: number;
		/** Entries in the executions that were given up or left: delivered, but not worked on. */
		entries: number;
	};
	/** Executions that ended with an error, without having been interrupted. */
	failed: number;
}

/**
 * Compares what stands in n8n's execution rows with what the console had.
 * @param unfinished Executions that had not ended when n8n was killed.
 */
export function countDeliveries(
	produced: readonly string[],
	rows: readonly ExecutionRow[],
	unfinished: ReadonlySet<number>,
): DeliveryCount {
	const times = new Map<string, number>(produced.map((id) => [id, 0]));
	const endedTimes = new Map<string, number>();
	const invented: string[] = [];
	for (const { id: row, entries } of rows) {
		for (const { auditlogId, scanId } of entries) {
			const id = String(auditlogId ?? scanId);
			const known = times.get(id);
			if (known === undefined) invented.push(id);
			else times.set(id, known + 1);
			if (!unfinished.has(row)) endedTimes.set(id, (endedTimes.get(id) ?? 0) + 1);
		}
	}
	const idsWhere = (holds: (count: number) => boolean): string[] =>
		[...times].filter(([, count]) => holds(count)).map(([id]) => id);
	const interrupted = rows.filter(({ id }) => unfinished.has(id));
	const withStatus = (...wanted: string[]) =>
		interrupted.filter(({ status }) => wanted.includes(status));
	const notWorkedOn = interrupted.filter(({ status }) => status !== 'success');
	return {
		produced: produced.length,
		delivered: idsWhere((count) => count > 0).length,
		lost: idsWhere((count) => count === 0),
		twice: idsWhere((count) => count > 1),
		twiceAfterItsEnd: [...endedTimes].filter(([, count]) => count > 1).map(([id]) => id),
		invented,
		executions: rows.length,
		withoutEntries: rows.filter(({ entries }) => entries.length === 0).length,
		interrupted: {
			crashed: withStatus('crashed', 'error').length,
			ranAgain: withStatus('success').length,
			left: withStatus('new', 'running').length,
			entries: notWorkedOn.reduce((sum, { entries }) => sum + entries.length, 0),
		},
		failed: rows.filter(({ id, status }) => status === 'error' && !unfinished.has(id)).length,
	};
}
