import { alternate, speedAgainst, warmUp } from '../comparison/contenders.cts';
import { timesTable } from '../comparison/timesTable.cts';
import type { Bench, Outcome } from '../measurement.cts';
import { ratioFinding, type Finding, type Goal } from '../results/finding.cts';
import { contendersOf, EVEN, logRounds } from './logRounds.cts';
import { BARE, CAREFUL, reachOf } from './reach.cts';

const TEXT = 'trigger, text';
const LEAST = 0.75;

/** Reading alone: up to the request of the last page. */
export async function measureReading(bench: Bench): Promise<Outcome> {
	const { entries, warmUps, rounds, pageSizes } = logRounds(bench);
	const log = await contendersOf(bench, entries);
	const findings: Finding[] = [];
	const tables: string[] = [];
	for (const pageSize of pageSizes) {
		const pages = `pages of ${pageSize.toLocaleString('en-US')}`;
		bench.say(` ${pages}`);
		const trigger = log.triggerToSink(TEXT, 'text', pageSize);
		const plain = log.axios('axios, without keep-alive', pageSize, false);
		const kept = log.axios('axios, with keep-alive', pageSize, true);
		const bare = log.reader(BARE, pageSize, 'bare');
		const careful = log.reader(CAREFUL, pageSize, 'careful');
		const inN8n = [trigger, bare, careful];
		await warmUp(inN8n, warmUps);
		const { reading } = await alternate([...inN8n, plain, kept], rounds, bench.say);
		const against = (other: string, goal: Goal): Finding => {
			return ratioFinding(`${pages}, against ${other}`, speedAgainst(reading, TEXT, other), goal);
		};
		findings.push(against(plain.name, { atLeast: LEAST }), against(kept.name, {}));
		const least = [BARE, CAREFUL].map((name) =>
			ratioFinding(
				`${pages}: ${name}, against ${plain.name}`,
				speedAgainst(reading, name, plain.name),
			),
		);
		findings.push(...least);
		const reach = reachOf({
			times: reading,
			trigger: TEXT,
			plain: plain.name,
			atLeast: LEAST,
			entries,
		});
		const times = timesTable(reading, 'Entries', entries);
		tables.push(`With ${pages}:\n\n${times}\n\n${reach}`);
	}
	return { findings, details: [READING, ...tables, ASKING_AHEAD].join('\n\n') };
}

const READING = `The trigger with *Text* in the real n8n, and plain axios, each over the same pages from the first
request to that of the last page. What n8n does with the entries afterwards is not in it, nor are the lines,
which the trigger and the readers make after the last page.

${EVEN}

The two readers show how much of the goal is within reach: in the same n8n and the same rounds, they do a part
of the trigger's work. The bare reader has n8n send each request, and parses the page; it compares, remembers
and checks nothing. The careful reader does the least that cannot be left out: it checks an answer before
parsing it, cuts out the credential, and keeps what is new by its ID. It knows no failure, rate limit, page
token that expires, late entry or restart, and stores no position.

What the trigger takes beyond it was looked at by hand on 2026-11-26, in n8n-core's poll executor, with pages of
1,000, in turns, beside other work: the shortest of 12 polls of 100,000 entries took 1,320 ms of processor time, of the
careful reader, which then also read the time of each entry, 1,080. A profile of the trigger shows no single part that stands out: of its time with the
lines, 28 % go into bounding and parsing answers and 3 % into looking for the credential, which the careful
reader does too; 13 % into telling entries from known ones, late ones included (5 of them into reading their times), 3 %
into what is stored, as much into the queue and the end of each call; the rest is lines, garbage and n8n's HTTP client. The
trigger of the day before took 1,317 ms in the same turns.`;

const ASKING_AHEAD = `Asking for the next page ahead pays 4 % at most, far less than is missing. It was tried by hand on
2026-11-26, in a changed copy of the trigger in n8n-core's poll executor: the request went out as soon as the
token of the page before was parsed, and the entries of that page were compared while it was on its way. Every
second poll did so. The machine had other work too, so the lower
quartile counts: 100,000 entries took 618 ms instead of 644 with pages of 1,000 (30 polls each), 1,682 ms
instead of 1,740 with pages of 100 (20 each), and 20,000 entries from a server 50 ms away 1,190 ms instead of
1,213 (40 each); of the shortest times neither way had the better. There is little to win: a page names the
next one only when it has been parsed, and from a near server n8n's thread waits for 7 ms of the 644. So the trigger
does not ask ahead, and spends no token on a page that the poll may not take any more.`;
