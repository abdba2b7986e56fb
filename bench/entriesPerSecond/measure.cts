import { join } from 'node:path';
import { alternate, median, speedAgainst, type Rounds } from '../comparison/contenders.cts';
import { timesTable } from '../comparison/timesTable.cts';
import { measuredApart } from '../measuredApart.cts';
import type { Bench, Outcome } from '../measurement.cts';
import { startPreparedServer } from '../preparedAnswers/preparedServer.cts';
import {
	digits,
	ratioFinding,
	valueFinding,
	type Finding,
	type Goal,
} from '../results/finding.cts';
import type { EntryCosts } from './entryCosts.cts';
import { LogContenders } from './logContenders.cts';

const FULL = { entries: 100_000, rounds: 7, pageSizes: [100, 1000] };
const QUICK = { entries: 20_000, rounds: 2, pageSizes: [1000] };
const FAR_AWAY = { entries: 20_000, rounds: 3, pageSize: 100, answerAfterMs: 50 };
/** Remembering 100,000 keys takes n8n's own node more than a minute, and more steadily than the rest. */
const ROUNDS_OF_REMOVE_DUPLICATES = 2;

const TEXT = 'trigger, text';
const ITEMS = 'trigger, items + Code + HTTP Request';
const BARE = 'bare reader, text';
const CAREFUL = 'careful reader, text';
const PLAIN = 'axios';
const BUILT = 'HTTP Request + Split Out + Remove Duplicates + Code + HTTP Request';

/** From the log into a bulk sink, as into a SIEM. */
export async function measureToSink(bench: Bench): Promise<Outcome> {
	const { entries, rounds } = bench.quick ? QUICK : FULL;
	const log = await contendersOf(bench, entries);
	const text = log.triggerToSink(TEXT, 'text', 1000);
	const items = log.triggerToSink(ITEMS, 'items', 1000);
	const bare = log.bareReader(BARE, 1000);
	const careful = log.bareReader(CAREFUL, 1000, true);
	const inN8n = [text, items, bare, careful];
	// Once unmeasured, so that n8n has loaded and compiled what it runs.
	for (const { run } of inN8n) await run();
	const all = [...inN8n, log.axiosToSink(PLAIN, 1000)];
	const { whole, reading } = await alternate(all, rounds, bench.say);
	const against = (other: string, atLeast: number): Finding => {
		return ratioFinding(`against ${other}`, speedAgainst(whole, TEXT, other), { atLeast });
	};
	const least = [BARE, CAREFUL].map((name) =>
		ratioFinding(`${name}: against ${PLAIN}`, speedAgainst(whole, name, PLAIN)),
	);
	const findings = [against(PLAIN, 0.5), ...least, against(ITEMS, 2.5)];
	if (!bench.quick) {
		const both = [text, log.httpRequest(BUILT, 1000, true)];
		const slow = (await alternate(both, ROUNDS_OF_REMOVE_DUPLICATES, bench.say)).whole;
		const faster = speedAgainst(slow, TEXT, BUILT);
		findings.push(ratioFinding(`against ${BUILT}`, faster, { atLeast: 25 }));
		whole[BUILT] = slow[BUILT];
	}
	const details = [TO_SINK, timesTable(whole, 'Entries', entries), floor({ whole, reading })];
	return { findings, details: details.join('\n\n') };
}

/** Reading alone: up to the request of the last page. */
export async function measureReading(bench: Bench): Promise<Outcome> {
	const { entries, rounds, pageSizes } = bench.quick ? QUICK : FULL;
	const log = await contendersOf(bench, entries);
	const findings: Finding[] = [];
	const tables: string[] = [];
	for (const pageSize of pageSizes) {
		const pages = `pages of ${pageSize.toLocaleString('en-US')}`;
		bench.say(` ${pages}`);
		const trigger = log.triggerToSink(TEXT, 'text', pageSize);
		const plain = log.axios('axios, without keep-alive', pageSize, false);
		const kept = log.axios('axios, with keep-alive', pageSize, true);
		const bare = log.bareReader(BARE, pageSize);
		const careful = log.bareReader(CAREFUL, pageSize, true);
		const inN8n = [trigger, bare, careful];
		// Once unmeasured, as above.
		for (const { run } of inN8n) await run();
		const { reading } = await alternate([...inN8n, plain, kept], rounds, bench.say);
		const against = (other: string, goal: Goal): Finding => {
			return ratioFinding(`${pages}, against ${other}`, speedAgainst(reading, TEXT, other), goal);
		};
		findings.push(against(plain.name, { atLeast: 0.75 }), against(kept.name, {}));
		const least = [BARE, CAREFUL].map((name) =>
			ratioFinding(
				`${pages}: ${name}, against ${plain.name}`,
				speedAgainst(reading, name, plain.name),
			),
		);
		findings.push(...least);
		tables.push(`With ${pages}:\n\n${timesTable(reading, 'Entries', entries)}`);
	}
	return { findings, details: [READING, ...tables].join('\n\n') };
}

/** What the trigger does with each entry that a bare reader does not. */
export async function measureEntryCosts(bench: Bench): Promise<Outcome> {
	const rounds = await entryCosts(bench);
	const finding = (what: keyof EntryCosts, subject: string, goal?: Goal): Finding => {
		return valueFinding(subject, median(rounds.map((round) => round[what])), 'µs', goal);
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
	const trigger = log.trigger('trigger, default settings');
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

async function contendersOf(
	bench: Bench,
	entries: number,
	answerAfterMs = 0,
): Promise<LogContenders> {
	const server = await startPreparedServer(entries, answerAfterMs);
	bench.teardown.add(() => server.end());
	return await LogContenders.on(server, entries, await bench.n8n(), bench.host.node.binary);
}

/** What n8n takes once the last page has been asked for, whatever the trigger does. */
function floor({ whole, reading }: Rounds): string {
	const after = (name: string): number[] =>
		whole[name].map((milliseconds, round) => milliseconds - reading[name][round]);
	const [text, items] = [after(TEXT), after(ITEMS)];
	const best = digits(median(text.map((floorMs, round) => whole[PLAIN][round] / floorMs)));
	return `n8n's own floor: after the request of the last page come ${Math.round(median(text))} ms with text and
${Math.round(median(items))} ms with items. Most of that is n8n, which writes the execution with all its items into its
database before the first node runs (an execution that a webhook starts is written while it is still
empty), and hands the text to the node that sends it. A trigger that read the log in no time at all would
come to ${best} × of ${PLAIN}. The bare and the careful reader are explained below.`;
}

const TO_SINK = `From the first request to the arrival of the last line at the sink, by the server's clock for all. The
server, in a process of its own, has every page ready in memory, and refuses lines that are not whole; all
read pages of 1,000. ${PLAIN}: keep-alive, in n8n's Node, in a process of its own that has done the same
once before; it posts the same batches of 5 MB as the trigger's text. In n8n the successful executions are
not saved, for all alike, and the trigger hands over all entries in one poll.`;

const READING = `The trigger with *Text* in the real n8n, and plain axios, each over the same pages from the first
request to that of the last page: what n8n does with the entries afterwards is not in it. The bare reader
does the least that a polling trigger must: n8n sends each request and parses the page, and each entry
becomes a line. Nothing is compared, remembered, bounded or looked after. The careful reader does the least
that must not be left out: it checks an answer before it parses it, cuts out the credential, and keeps what
is new, with its ID and time, until the end. It knows no failure, limit, page token that expires, late entry
or restart. As fast can a trigger read at most.`;

const ENTRY_COSTS = `Processor time, garbage collection included, over 100,000 new entries in pages of 1,000; the
middle one of nine rounds. This is what the trigger does beyond the bare reader of the section before. Within
n8n it takes more, since all entries of a poll are in memory until its end, and garbage collection with them.

Asking for the next page ahead could not hide it: a page names the next one only when it has been read
and parsed. So pages are asked for one after the other, and a token is never spent in vain.`;

const FROM_AFAR = `Each answer of the server takes ${FAR_AWAY.answerAfterMs} ms, as over a network, and the run ends when the workflow's last node has
all items. At default settings the trigger finds out how large a page the console allows, and asks less often.`;
