import { fraction } from '../../../sandbox/deterministic.cts';

/**
 * When a run of n8n is killed:
 * - `handOver`: so long after the console answered a poll, while n8n writes state and execution;
 * - `execution`: likewise, while the workflow works on the entries;
 * - `anywhere`: so long after the process was started, mostly while n8n starts.
 */
export type KillMoment =
	| { kind: 'handOver' | 'execution'; poll: number; delayMs: number }
	| { kind: 'anywhere'; delayMs: number };

/** More than half of the kills are aimed at the hand-over, where default mode can lose entries. */
const KINDS: ReadonlyArray<KillMoment['kind']> = [
	'handOver',
	'anywhere',
	'handOver',
	'execution',
	'handOver',
];

/** Longest delay after the console's answer, or after the start of the process, in milliseconds. */
const LONGEST_DELAY_MS: Record<KillMoment['kind'], number> = {
	handOver: 40,
	execution: 2_000,
	anywhere: 20_000,
};

/** Polls of one run among which the one to aim at is chosen; the first is that of the start. */
const POLLS_TO_AIM_AT = 2;

/** The moments of so many kills: the same for the same seed. */
export function killPlan(kills: number, seed: number): KillMoment[] {
	return Array.from({ length: kills }, (_, index) => {
		const kind = KINDS[index % KINDS.length];
		const delayMs = Math.floor(fraction(seed, 2 * index) * LONGEST_DELAY_MS[kind]);
		if (kind === 'anywhere') return { kind, delayMs };
		const poll = 1 + Math.floor(fraction(seed, 2 * index + 1) * POLLS_TO_AIM_AT);
		return { kind, poll, delayMs };
	});
}

/** The moment in words, for the progress that is shown. */
export function describeMoment(moment: KillMoment): string {
	if (moment.kind === 'anywhere') return `${moment.delayMs} ms after the start`;
	const during = moment.kind === 'handOver' ? 'the hand-over' : 'the execution';
	return `${moment.delayMs} ms after the console answered poll ${moment.poll} (${during})`;
}
