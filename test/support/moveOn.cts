import type { ManualClock } from '../../sandbox/clock.cts';
import type { MoveOn } from '../../nodes/common/polling/moveOn';
import type { ConsoleBench } from './consoleBench.cts';
import type { Ending, PersistenceMode, PollHarness } from './engine/pollHarness.cts';

/** Longer than a poll waits. */
const LONG_MS = 600_000;

/** An active trigger that reads the log from its oldest entry on. */
export async function activeTrigger(
	bench: ConsoleBench,
	mode: PersistenceMode,
	moveOn: MoveOn,
	options: object = {},
	output: 'items' | 'text' = 'items',
): Promise<PollHarness> {
	const parameters = { startFrom: 'oldest', output, options: { moveOn, ...options } };
	const harness = await bench.trigger(mode, parameters);
	await harness.activate();
	return harness;
}

/** The ids of each execution that has items. */
export function batchesOf(harness: PollHarness): string[][] {
	return harness.executions
		.map(({ items }) => items.map(({ auditlogId }) => String(auditlogId)))
		.filter((ids) => ids.length > 0);
}

/** A workflow that takes longer than a poll waits. */
export function longWork(clock: ManualClock, ending: Ending): () => Ending {
	return () => {
		clock.advance(LONG_MS);
		return ending;
	};
}

/** The same, but it ends when it is told to. */
export function heldWork(clock: ManualClock) {
	let resolveLast: (ending: Ending) => void = () => {};
	return {
		workflow: () => {
			clock.advance(LONG_MS);
			return new Promise<Ending>((resolve) => (resolveLast = resolve));
		},
		end: (ending: Ending) => resolveLast(ending),
	};
}
