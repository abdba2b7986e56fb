import { fraction } from '../../../sandbox/deterministic.cts';

/**
 * When a run of n8n is killed:
 * - `answer`: so long after the console answered a poll, while the trigger reads and hands over;
 * - `write`: so long after n8n's first write to its database that follows: in default mode that is
 *   the trigger's state, and the execution comes after it;
 * - `execution`: likewise, while the workflow works on the entries;
 * - `anywhere`: so long after the process was started, mostly while n8n starts.
 */
export type KillMoment =
	| { kind: 'answer' | 'write' | 'execution'; poll: number; delayMs: number }
	| { kind: 'anywhere'; delayMs: number };

/** Half of the kills are aimed between the state and the execution, where default mode can lose. */
const KINDS: ReadonlyArray<KillMoment['kind']> = [
	'write',
	'execution',
	'write',
	'anywhere',
	'write',
	'answer',
];

/** Longest delay, in milliseconds. */
const LONGEST_DELAY_MS: Record<KillMoment['kind'], number> = {
	answer: 100,
	write: 20,
	execution: 2_000,
	anywhere: 15_000,
};

/** One kill in so many is aimed at the second poll of a run, the others at the first. */
const SECOND_POLL_IN = 4;

/** The moments of so many kills: the same for the same seed. */
export function killPlan(kills: number, seed: number): KillMoment[] {
	return Array.from({ length: kills }, (_, index) => {
		const kind = KINDS[index % KINDS.length];
		const delayMs = Math.floor(fraction(seed, 2 * index) * LONGEST_DELAY_MS[kind]);
		if (kind === 'anywhere') return { kind, delayMs };
		const poll = fraction(seed, 2 * index + 1) * SECOND_POLL_IN < 1 ? 2 : 1;
		return { kind, poll, delayMs };
	});
}

/** The same moment, of the next poll. */
export function onePollLater(moment: KillMoment): KillMoment {
	return moment.kind === 'anywhere' ? moment : { ...moment, poll: moment.poll + 1 };
}

/** The moment in words, for the progress that is shown. */
export function describeMoment(moment: KillMoment): string {
	const { kind, delayMs } = moment;
	if (kind === 'anywhere') return `${delayMs} ms after the start`;
	if (kind === 'answer') return `${delayMs} ms after the console answered poll ${moment.poll}`;
	return `${delayMs} ms after n8n's first write that followed poll ${moment.poll}`;
}
