import { join } from 'node:path';
import { alternate, median, speedAgainst } from '../comparison/contenders.cts';
import { timesTable } from '../comparison/timesTable.cts';
import { measuredApart } from '../measuredApart.cts';
import type { Bench, Outcome } from '../measurement.cts';
import { ratioFinding, valueFinding, type Finding, type Goal } from '../results/finding.cts';
import type { EntryCosts } from './entryCosts.cts';
import { contendersOf } from './logRounds.cts';

const FAR_AWAY = { entries: 20_000, rounds: 3, pageSize: 100, answerAfterMs: 50 };

/** What the trigger does with each entry that a bare reader does not. */
export async function measureEntryCosts(bench: Bench): Promise<Outcome> {
	const rounds = await entryCosts(bench);
	const finding = (what: keyof EntryCosts, subject: string, goal?: Goal): Finding => {
		const cost = median(rounds.map((round) => round[what]));
		return valueFinding(subject, Math.max(0, cost), 'µs', goal);
	};
	return {
		findings: [
			finding('remembering', 'telling it from known ones, and remembering it', { atMost: 3 }),
			finding('bounds', 'looking for what would be rounded, or is too much, before it is parsed'),
			finding('secrets', 'looking for the credential in the answer'),
		],
		details: ENTRY_COSTS,
	};
}

async function entryCosts({ host }: Bench): Promise<EntryCosts[]> {
	const script = join(__dirname, 'entryCosts.cts');
	return await measuredApart<EntryCosts[]>(script, [], { node: host.node.binary });
}

/** What a user sees: a server that takes its time, as one at the other end of a network does. */
export async function measureFarAway(bench: Bench): Promise<Outcome> {
	const { entries, rounds, pageSize, answerAfterMs } = FAR_AWAY;
	const log = await contendersOf(bench, entries, answerAfterMs);
	const trigger = log.trigger('trigger');
	const kept = log.axios(`axios with keep-alive, pages of ${pageSize}`, pageSize, true);
	const split = log.httpRequest('HTTP Request + Split Out', pageSize, false);
	const { whole } = await alternate([trigger, split, kept], rounds, bench.say);
	const against = (other: string, atLeast: number): Finding => {
		return ratioFinding(`against ${other}`, speedAgainst(whole, trigger.name, other), { atLeast });
	};
	return {
		findings: [against(kept.name, 5), against(split.name, 6)],
		details: `${FROM_AFAR}\n\n${timesTable(whole, 'Entries', entries)}`,
	};
}

const ENTRY_COSTS = `Processor time, garbage collection included, over 100,000 new entries in pages of 1,000; the
middle one of nine rounds. The trigger does this in addition to what the bare reader does (the section before),
and, for each page and poll, what the careful reader does not know. 0 µs is too little to measure.`;

const FROM_AFAR = `Each answer of the server takes ${FAR_AWAY.answerAfterMs} ms, as over a network, and the run ends when the workflow's last node has
all items. The trigger has its default settings, but for *Max Entries per Poll*, so that all comes in one poll: it
finds out how large a page the console allows, and asks less often.`;
