import { markdownTable } from '../../scripts/measurements/markdownTable.cts';
import {
	alternate,
	median,
	speedAgainst,
	warmUp,
	type Rounds,
	type Times,
} from '../comparison/contenders.cts';
import { timesTable } from '../comparison/timesTable.cts';
import type { Bench, Outcome } from '../measurement.cts';
import { digits, ratioFinding, type Finding } from '../results/finding.cts';
import { contendersOf, EVEN, logRounds } from './logRounds.cts';
import { BARE, CAREFUL, inProse, reachOf } from './reach.cts';

/** Remembering 100,000 keys takes n8n's own node half a minute and more. */
const ROUNDS_OF_REMOVE_DUPLICATES = 5;

const TEXT = 'trigger, text';
const ITEMS = 'trigger, items + Code + HTTP Request';
const FREE = 'trigger of no cost, text';
const PLAIN = 'axios';
const BUILT = 'HTTP Request + Split Out + Remove Duplicates + Code + HTTP Request';

/** From the log into a bulk sink, as into a SIEM. */
export async function measureToSink(bench: Bench): Promise<Outcome> {
	const { entries, warmUps, rounds } = logRounds(bench);
	const log = await contendersOf(bench, entries);
	const text = log.triggerToSink(TEXT, 'text', 1000);
	const items = log.triggerToSink(ITEMS, 'items', 1000);
	const bare = log.reader(BARE, 1000, 'bare');
	const careful = log.reader(CAREFUL, 1000, 'careful');
	const free = log.reader(FREE, 1000, 'free');
	const inN8n = [text, items, careful, bare, free];
	await warmUp(inN8n, warmUps);
	const all = [...inN8n, log.axiosToSink(PLAIN, 1000)];
	const { whole, reading } = await alternate(all, rounds, bench.say);
	const against = (other: string, atLeast: number): Finding => {
		return ratioFinding(`against ${other}`, speedAgainst(whole, TEXT, other), { atLeast });
	};
	const least = [FREE, BARE, CAREFUL].map((name) =>
		ratioFinding(`${name}: against ${PLAIN}`, speedAgainst(whole, name, PLAIN)),
	);
	const findings = [against(PLAIN, LEAST_OF_PLAIN), ...least, against(ITEMS, 2.5)];
	if (!bench.quick) {
		const both = [text, log.httpRequest(BUILT, 1000, true)];
		const slow = (await alternate(both, ROUNDS_OF_REMOVE_DUPLICATES, bench.say)).whole;
		const faster = speedAgainst(slow, TEXT, BUILT);
		findings.push(ratioFinding(`against ${BUILT}`, faster, { atLeast: 25 }));
		whole[BUILT] = slow[BUILT];
	}
	const times = timesTable(whole, 'Entries', entries);
	const question = { times: whole, trigger: TEXT, plain: PLAIN, atLeast: LEAST_OF_PLAIN, entries };
	const reach = `${reachOf(question)} What the readers do is told in the next section.`;
	const details = [TO_SINK, times, floorTable(whole), floor({ whole, reading }), reach];
	return { findings, details: details.join('\n\n') };
}

/** The goal against plain axios. */
const LEAST_OF_PLAIN = 0.5;

/** What of each run is n8n's own, and what the trigger's or the reader's. */
function floorTable(whole: Times): string {
	const floorMs = median(whole[FREE]);
	const rows = [TEXT, CAREFUL, BARE, FREE].map((name) => {
		const own = median(whole[name].map((milliseconds, round) => milliseconds - whole[FREE][round]));
		return [name, ...[median(whole[name]), floorMs, own].map(Math.round)];
	});
	return markdownTable(['', 'Median (ms)', "n8n's floor (ms)", 'Its own work (ms)'], rows);
}

function floor({ whole, reading }: Rounds): string {
	const after = (name: string): string =>
		inProse(median(whole[name].map((milliseconds, round) => milliseconds - reading[name][round])));
	return `n8n's floor is what n8n takes whatever the trigger does. It is measured with a trigger of no cost, which
has the lines from an earlier run, asks for one page and hands all of them over. No trigger that hands over
all at once can exceed its ${digits(median(speedAgainst(whole, FREE, PLAIN)))} × of ${PLAIN} here: in this time n8n writes the execution with its items
into its database before the first node runs, and hands the text to the node that sends it. What remains of the
others is their own work (the median of the differences, round by round): the reading, and the lines, which each
of them makes once the last page is there. All of a poll goes out in one execution, so that it can be confirmed and repeated as a whole: nothing is sent
while the log is still read.

With items, ${after(ITEMS)} ms come after the request of the last page, in which n8n writes them and the Code
node joins them; with text, ${after(TEXT)} ms.`;
}

const TO_SINK = `From the first request to the arrival of the last line at the sink, by the server's clock for all. The
server, in a process of its own, has every page ready in memory, and refuses lines that are not whole; all
read pages of 1,000. ${PLAIN}: keep-alive, in n8n's Node, in a process of its own; it posts the same batches of
5 MB as the trigger's text. In n8n the successful executions are not saved, for all alike, and the trigger
hands over all entries in one poll. n8n's own nodes are compared with the trigger in ${ROUNDS_OF_REMOVE_DUPLICATES} rounds
of their own after the others, with no unmeasured run; the ratio is that of these rounds. Earlier runs of two rounds gave 24.4 to 34.5.

${EVEN}`;
