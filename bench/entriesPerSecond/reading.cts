import { alternate, speedAgainst, warmUp } from '../comparison/contenders.cts';
import { timesTable } from '../comparison/timesTable.cts';
import type { Bench, Outcome } from '../measurement.cts';
import { ratioFinding, type Finding, type Goal } from '../results/finding.cts';
import { contendersOf, EVEN, logRounds } from './logRounds.cts';

const TEXT = 'trigger, text';
const BARE = 'bare reader, text';
const CAREFUL = 'careful reader, text';

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
	return { findings, details: [READING, ...tables, ASKING_AHEAD].join('\n\n') };
}

const READING = `The trigger with *Text* in the real n8n, and plain axios, each over the same pages from the first
request to that of the last page. What n8n does with the entries afterwards is not in it, nor are the lines,
which the trigger and the readers make after the last page.

${EVEN}

The two readers are bounds: in the same n8n and the same rounds, they do a part of the trigger's work. The
bare reader has n8n send each request, and parses the page. Nothing is compared, remembered, bounded or
looked after. The careful reader does the least that must not be left out: it checks an answer before it
parses it, cuts out the credential, and keeps what is new, with its ID and time, until the end. It knows no
failure, limit, page token that expires, late entry or restart. The careful reader,
which does no more than it must, is the bound: where it misses the goal, the trigger cannot reach it. What the
trigger takes beyond the careful reader is the price of what that does not know.

No single part of that stands out. A profile of the trigger in n8n-core's poll executor (2026-11-26, pages of
1,000, eight polls of 100,000 entries) shows 28 % of the time for bounding and parsing answers, 16 % for the
lines, 14 % for collecting garbage, 13 % for telling the entries from known ones, with 5 % for reading their
times, 3 % for looking for the credential, and 4 % for waiting; the rest is n8n's HTTP client.`;

const ASKING_AHEAD = `Asking for the next page ahead pays 2 to 4 %, far less than is missing. It was tried on
2026-11-26, in a changed copy of the trigger in n8n-core's poll executor: the request went out as soon as the
token of the page before was parsed, and the entries of that page were compared while it was on its way. Every
second poll did so. The machine had other work too, so the lower
quartile counts: 100,000 entries took 618 ms instead of 644 with pages of 1,000 (30 polls each), 1,682 ms
instead of 1,740 with pages of 100 (20 each), and 20,000 entries from a server 50 ms away 1,190 ms instead of
1,213 (40 each); of the shortest times neither way had the better. A page names the next one only when it has
been parsed, and that is most of the work: from a near server n8n's thread waited for 7 ms of the 644. So a
token is never spent on a page that the poll may not take any more.`;
