import { speedAgainst, median, type Times } from '../comparison/contenders.cts';

/** Readers that do a part of the trigger's work, from the least on. */
export const BARE = 'bare reader, text';
export const CAREFUL = 'careful reader, text';

interface Question {
	times: Times;
	trigger: string;
	/** What the goal is held against. */
	plain: string;
	/** The least share of its speed that is the goal. */
	atLeast: number;
	entries: number;
}

/** Whether the trigger can reach a goal at all, in sentences, going by the readers. */
export function reachOf({ times, trigger, plain, atLeast, entries }: Question): string {
	const goalMs = median(times[plain]) / atLeast;
	const readers = [BARE, CAREFUL].map((name) => reader(name, median(times[name]), goalMs, entries));
	const isBeyondReach = median(times[CAREFUL]) > goalMs;
	const conclusion = isBeyondReach
		? 'The trigger has to do all that the careful reader does: with these checks as they are written, it cannot reach the goal here, and asking ahead (4 % at most) would not change that.'
		: 'So these readers do not show that the goal is out of reach here.';
	const reached = (name: string): number =>
		speedAgainst(times, name, plain).filter((ratio) => ratio >= atLeast).length;
	return `The goal is ${inProse(goalMs)} ms. ${readers.join(' ')} ${conclusion} Of ${times[plain].length} rounds, the trigger met the goal in ${reached(trigger)}, the careful reader in ${reached(CAREFUL)}, the bare reader in ${reached(BARE)}.`;
}

function reader(name: string, milliseconds: number, goalMs: number, entries: number): string {
	const took = `The ${name.split(',')[0]} takes ${inProse(milliseconds)} ms`;
	const left = ((goalMs - milliseconds) * 1000) / entries;
	if (left < 0) return `${took}, which is too long already.`;
	return `${took}, which leaves ${left.toFixed(2)} µs an entry for everything else.`;
}

/** Whole milliseconds. */
export function inProse(milliseconds: number): string {
	return Math.round(milliseconds).toLocaleString('en-US');
}
