import type { DrainFigures } from '../drain/drainBacklog.cts';
import { statesApart } from '../drain/drainedApart.cts';
import { stateVariants } from '../drain/stateSize.cts';
import type { Bench, Outcome } from '../measurement.cts';
import { valueFinding, type Finding } from '../results/finding.cts';

const MB = 1_000_000;
const KB = 1024;
const GOALS = { memoryMb: 150 };
const SMALL = 100_000;
const LARGE = 1_000_000;

/** Memory that draining a backlog takes beyond what the process took before. */
export async function measureMemory(bench: Bench): Promise<Outcome> {
	const findings: Finding[] = [];
	for (const entries of bench.quick ? [SMALL] : [SMALL, LARGE]) {
		const figures = await bench.drained(entries);
		requireAll(figures);
		const subject = `peak while draining ${entries.toLocaleString('en-US')} entries, garbage included`;
		const goal = { atMost: GOALS.memoryMb, stable: true };
		findings.push(valueFinding(subject, figures.memory.rss / MB, 'MB', goal));
		const kept = figures.memory.heap / MB;
		findings.push(valueFinding('of it kept after garbage collection', kept, 'MB'));
	}
	return { findings, details: HOW };
}

/** The largest state that the trigger stores. */
export async function measureState(): Promise<Outcome> {
	const states = await statesApart();
	return {
		findings: states.map(({ title, entries, delivered, largestStateBytes, boundBytes }) => {
			if (delivered !== entries) throw new Error(`${title}: ${delivered} of ${entries} delivered.`);
			const goal = { atMost: boundBytes / KB, stable: true };
			return valueFinding(title, largestStateBytes / KB, 'KB', goal);
		}),
		details: `In both of n8n's ways of keeping it (${stateVariants.map(({ title }) => title).join(', ')}), as JSON.`,
	};
}

/** @throws Error when anything was lost, came twice or out of order */
export function requireAll({ entries, missing, twice, outOfOrder, errors }: DrainFigures): void {
	if (missing + twice + outOfOrder + errors === 0) return;
	const counts = JSON.stringify({ missing, twice, outOfOrder, errors });
	throw new Error(`Draining ${entries} entries went wrong: ${counts}.`);
}

const HOW = `Default settings, from the oldest entry on, ticks driven through n8n-core's poll executor one after the
other in a fresh process; the sandbox runs in another one. The resident set is sampled 50 times a
second.`;
