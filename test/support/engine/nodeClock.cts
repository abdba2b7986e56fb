import { nodeGlobals } from './outsideJest.cts';

/** A clock that a test sets. */
export interface NodeClock {
	/** Milliseconds since the epoch. */
	now(): number;
}

/**
 * Makes the nodes and n8n see another time: `Date.now()` and `new Date()` follow the clock, timers run
 * as ever. It concerns the whole process (outside of jest: the test itself too) until undone.
 * @returns undoes it.
 */
export function setNodeClock(clock: NodeClock): () => void {
	const RealDate = nodeGlobals.Date;
	const fakeDate = new Proxy(RealDate, {
		construct: (target, values, newTarget) =>
			Reflect.construct(target, values.length === 0 ? [clock.now()] : values, newTarget) as object,
		apply: () => new RealDate(clock.now()).toString(),
		get: (target, property) =>
			property === 'now' ? () => clock.now() : (Reflect.get(target, property) as unknown),
	});
	nodeGlobals.Date = fakeDate;
	return () => {
		nodeGlobals.Date = RealDate;
	};
}
