import { nodeGlobals } from './outsideJest.cts';

/** A clock that a test sets. */
export interface NodeClock {
	/** Milliseconds since the epoch. */
	now(): number;
}

/**
 * Makes the nodes and n8n see another time: `Date.now()` and `new Date()` follow the clock, timers run
 * as ever. `performance.now()` goes on as ever too, and skips what the clock is set forward. It
 * concerns the whole process (outside of jest: the test itself too) until undone.
 * @returns undoes it.
 */
export function setNodeClock(clock: NodeClock): () => void {
	const RealDate = nodeGlobals.Date;
	// A proxy would make every date that is parsed or written several times as slow.
	function FakeDate(...values: unknown[]): Date | string {
		const args = values.length === 0 || !new.target ? [clock.now()] : values;
		if (!new.target) return String(Reflect.construct(RealDate, args));
		return Reflect.construct(RealDate, args, new.target) as Date;
	}
	const fakeDate = Object.assign(FakeDate as unknown as DateConstructor, {
		now: () => clock.now(),
		prototype: RealDate.prototype,
	});
	Object.setPrototypeOf(fakeDate, RealDate);
	nodeGlobals.Date = fakeDate;
	const undoMonotonic = setMonotonicClock(clock);
	return () => {
		nodeGlobals.Date = RealDate;
		undoMonotonic();
	};
}

function setMonotonicClock(clock: NodeClock): () => void {
	const { performance } = nodeGlobals;
	const before = performance.now;
	const real = (Object.getPrototypeOf(performance) as Performance).now.bind(performance);
	const begun = clock.now();
	let skipped = 0;
	performance.now = () => {
		skipped = Math.max(skipped, clock.now() - begun);
		return real() + skipped;
	};
	return () => {
		performance.now = before;
	};
}
