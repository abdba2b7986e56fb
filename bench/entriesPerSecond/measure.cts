import { alternate, median, speedAgainst, type Rounds } from '../comparison/contenders.cts';
import { timesTable } from '../comparison/timesTable.cts';
import type { Bench, Outcome } from '../measurement.cts';
import { startPreparedServer } from '../preparedAnswers/preparedServer.cts';
import { digits, ratioFinding, type Finding, type Goal } from '../results/finding.cts';
import { LogContenders } from './logContenders.cts';

const FULL = { entries: 100_000, rounds: 5, pageSizes: [100, 1000] };
const QUICK = { entries: 20_000, rounds: 2, pageSizes: [1000] };
const FAR_AWAY = { entries: 20_000, rounds: 3, pageSize: 100, answerAfterMs: 50 };
/** Remembering 100,000 keys takes n8n's own node more than a minute, and more steadily than the rest. */
const ROUNDS_OF_REMOVE_DUPLICATES = 2;

const TRIGGER = 'trigger';
const PLAIN = 'axios, without keep-alive';
const KEPT = 'axios, with keep-alive';
const BYTES = 'bytes only';
const SPLIT = 'HTTP Request + Split Out';
const DUPLICATES = 'HTTP Request + Split Out + Remove Duplicates';

/** Entries a second, from the first request to the execution having all items. */
export async function measureEntriesPerSecond(bench: Bench): Promise<Outcome> {
	const { entries, rounds, pageSizes } = bench.quick ? QUICK : FULL;
	const log = await contendersOf(bench, entries);
	const findings: Finding[] = [];
	const parts: string[] = [];
	for (const pageSize of pageSizes) {
		const pages = `pages of ${pageSize.toLocaleString('en-US')}`;
		const trigger = log.trigger(TRIGGER, { pageSize });
		const inN8n = [trigger, log.httpRequest(SPLIT, pageSize, false)];
		const plain = [log.axios(PLAIN, pageSize, false), log.axios(KEPT, pageSize, true)];
		const all = [...inN8n, ...plain, ...(bench.quick ? [] : [log.bytes(BYTES, pageSize)])];
		bench.say(` ${pages}`);
		// Once unmeasured, so that n8n has loaded and compiled what it runs.
		for (const { run } of inN8n) await run();
		const { whole, reading } = await alternate(all, rounds, bench.say);
		const speed = (other: string): number[] => speedAgainst(whole, TRIGGER, other);
		const pace = speedAgainst(reading, TRIGGER, PLAIN);
		findings.push(
			ratioFinding(`${pages}, against ${PLAIN}`, speed(PLAIN), { atLeast: 0.9 }),
			ratioFinding(`${pages}, the same up to the request of the last page`, pace),
			ratioFinding(`${pages}, against ${KEPT}`, speed(KEPT)),
			ratioFinding(`${pages}, against ${SPLIT}`, speed(SPLIT), { atLeast: 2 }),
		);
		if (!bench.quick) {
			const both = [trigger, log.httpRequest(DUPLICATES, pageSize, true)];
			const slow = (await alternate(both, ROUNDS_OF_REMOVE_DUPLICATES, bench.say)).whole;
			const ratios = speedAgainst(slow, TRIGGER, DUPLICATES);
			findings.push(ratioFinding(`${pages}, against ${DUPLICATES}`, ratios, { atLeast: 25 }));
			whole[DUPLICATES] = slow[DUPLICATES];
		}
		const table = timesTable(whole, 'Entries', entries);
		parts.push(`With ${pages}:\n\n${table}\n\n${ceiling({ whole, reading })}`);
	}
	return { findings, details: [HOW, ...parts].join('\n\n') };
}

/** The default settings, under which the pages grow, against small pages read as fast as can be. */
export async function measureGrowingPages(bench: Bench): Promise<Outcome> {
	const { entries, rounds } = bench.quick ? QUICK : FULL;
	const log = await contendersOf(bench, entries);
	const trigger = log.trigger(TRIGGER, {});
	const plain = log.axios('axios, with keep-alive, pages of 100', 100, true);
	await trigger.run();
	const { whole } = await alternate([trigger, plain], rounds, bench.say);
	const ratios = speedAgainst(whole, TRIGGER, plain.name);
	const subject = 'default settings, against axios with keep-alive at pages of 100';
	return {
		findings: [ratioFinding(subject, ratios, { atLeast: 1.3 })],
		details: timesTable(whole, 'Entries', entries),
	};
}

/** What a user sees: a server that takes its time, as one at the other end of a network does. */
export async function measureFarAway(bench: Bench): Promise<Outcome> {
	const { entries, rounds, pageSize, answerAfterMs } = FAR_AWAY;
	const log = await contendersOf(bench, entries, answerAfterMs);
	const [defaults, small] = ['trigger, default settings', `trigger, pages of ${pageSize}`];
	const inN8n = [log.trigger(defaults, {}), log.trigger(small, { pageSize })];
	const others = [log.httpRequest(SPLIT, pageSize, false), log.axios(PLAIN, pageSize, false)];
	const kept = log.axios(KEPT, pageSize, true);
	const { whole } = await alternate([...inN8n, ...others, kept], rounds, bench.say);
	const finding = (one: string, other: string, goal: Goal): Finding => {
		return ratioFinding(`${one}, against ${other}`, speedAgainst(whole, one, other), goal);
	};
	return {
		findings: [
			finding(small, PLAIN, { atLeast: 0.9 }),
			finding(small, SPLIT, {}),
			finding(defaults, KEPT, { atLeast: 1.3 }),
			finding(defaults, SPLIT, { atLeast: 2 }),
		],
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

/** How fast the trigger could be at best, given what n8n does once the last page has been asked for. */
function ceiling({ whole, reading }: Rounds): string {
	const after = whole[TRIGGER].map((milliseconds, round) => milliseconds - reading[TRIGGER][round]);
	const best = (other: string): string => {
		return digits(median(after.map((milliseconds, round) => whole[other][round] / milliseconds)));
	};
	return `Of the trigger's time, ${Math.round(median(after))} ms come after the request of the last page: most of that is n8n,
which writes the execution with all its entries into its database before the first node runs. (An
execution that a webhook starts is written while it is still empty.) A trigger that read the log in no
time at all would come to ${best(PLAIN)} × of axios without keep-alive and ${best(SPLIT)} × of ${SPLIT}.`;
}

const HOW = `A run lasts from the first request to the moment at which the workflow's last node tells the
server that the last item is there; both are taken by the server's clock, for plain axios too. The
server, in a process of its own, has every page ready in memory, so that it is not what is measured;
*bytes only* reads the pages over one connection and does not even parse them: no client can be faster.
Plain axios runs in n8n's Node, in a process of its own that has read the log once before. In n8n the
successful executions are not saved, for all alike, and the trigger hands over all entries in one poll.`;

const FROM_AFAR = `As above, but each answer of the server takes ${FAR_AWAY.answerAfterMs} ms, as over a network. Where it is waited for,
who asks for the same pages is as fast as the others, and who asks for larger ones is faster: at default
settings the trigger finds out how large a page the console allows.`;
