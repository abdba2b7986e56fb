import { join } from 'node:path';
import { defaultConsoleHeaders } from '../../sandbox/fixtures/accounts.cts';
import type { JsonObject } from '../../sandbox/jsonValue.cts';
import { markdownTable } from '../../scripts/measurements/markdownTable.cts';
import { REPOSITORY } from '../../test/support/engine/loadedPackage.cts';
import { median } from '../comparison/contenders.cts';
import { measuredApart } from '../measuredApart.cts';
import type { Bench, Outcome } from '../measurement.cts';
import { ratioFinding, valueFinding, type Finding } from '../results/finding.cts';
import { startSandboxProcess, type SandboxProcess } from '../sandboxProcess.cts';
import { WARM_UP_ROUNDS, type IdleFigures, type IdleSetup } from './idleSetup.cts';
import { serveFeed } from './rssFeed.cts';
import { barePackage, rssPackage } from './triggerPackages.cts';

/** Entries within the lookback, few and nearly a page of the default size, and the most processor time. */
const SIZES = [
	{ size: 20, atMost: 1.2 },
	{ size: 90, atMost: 0.8 },
];
/** They stay within the lookback as long as the measurement runs. */
const LOOKBACK_MINUTES = 60;
const TIMES = { full: { rounds: 40, polls: 80 }, quick: { rounds: 10, polls: 60 } };
/** The poll at activation hands the entries over. */
const FIRST_POLLS = 1;

/** What a poll costs that finds nothing new. */
export async function measureIdlePoll(bench: Bench): Promise<Outcome> {
	const folder = await bench.folder();
	const packages = {
		bare: await barePackage(folder, REPOSITORY),
		rss: await rssPackage(folder, bench.host.folder),
	};
	const findings: Finding[] = [];
	const rows: Array<[number, ...string[]]> = [];
	for (const { size, atMost } of SIZES) {
		const { requestsPerPoll, milliseconds } = await measureSize(bench, size, packages);
		const inThatOfRss = (name: 'trigger' | 'careful' | 'bare') =>
			milliseconds[name].map((spent, round) => spent / milliseconds.rss[round]);
		const within = `${size} entries within the lookback`;
		findings.push(
			valueFinding(`${within}: requests per poll`, requestsPerPoll, '', {
				atLeast: 1,
				atMost: 1,
				stable: true,
			}),
			ratioFinding(
				`${within}: processor time, in that of a feed of ${size} items`,
				inThatOfRss('trigger'),
				{ atMost },
			),
			ratioFinding(`${within}: the same of a careful trigger`, inThatOfRss('careful')),
			ratioFinding(`${within}: the same of a bare trigger`, inThatOfRss('bare')),
		);
		const { trigger, careful, bare, rss } = milliseconds;
		const spent = [trigger, careful, bare, rss].map((times) => median(times).toFixed(2));
		rows.push([size, ...spent]);
	}
	const head = [
		'Entries or items',
		'Trigger (ms of a poll)',
		'Careful trigger',
		'Bare trigger',
		'RSS trigger',
	];
	return { findings, details: `${HOW}\n\n${markdownTable(head, rows)}` };
}

async function measureSize(bench: Bench, size: number, packages: { bare: string; rss: string }) {
	const sandbox = await startSandboxProcess({ console: { historyEntries: 0 } }, 1);
	bench.teardown.add(() => sandbox.end());
	const feed = await serveFeed(await entriesOf(sandbox, size));
	bench.teardown.add(async () => void feed.server.close());
	const times = bench.quick ? TIMES.quick : TIMES.full;
	const setup: IdleSetup = {
		...times,
		trigger: {
			parameters: {
				authentication: 'headers',
				startFrom: 'oldest',
				options: { lookbackMinutes: LOOKBACK_MINUTES },
			},
			credential: consoleCredential(sandbox),
		},
		bare: { packageFolder: packages.bare, checks: join(REPOSITORY, 'dist', 'transport') },
		rss: { feedUrl: feed.url, packageFolder: packages.rss },
	};
	const script = join(__dirname, 'measureIdle.cts');
	const { milliseconds } = await measuredApart<IdleFigures>(script, [JSON.stringify(setup)], {
		node: bench.host.node.binary,
	});
	const polls = (WARM_UP_ROUNDS + times.rounds) * times.polls;
	// The careful and the bare trigger send one for each of their own polls.
	const requestsPerPoll = ((await requestsOf(sandbox)) - 3 * FIRST_POLLS) / polls - 2;
	return { milliseconds, requestsPerPoll };
}

async function entriesOf(sandbox: SandboxProcess, count: number) {
	const begun = Date.now();
	const apart = (LOOKBACK_MINUTES * 60_000) / (count + 1);
	const entries = Array.from({ length: count }, (_, index) => ({
		at: Math.round(begun - index * apart),
	}));
	const { ids } = (await sandbox.control.post<{ ids: string[] }>('/audit-log/entries', entries))
		.data;
	const { data } = await sandboxPage(sandbox);
	return ids.map((id, index) => ({
		id,
		at: new Date(entries[index].at),
		text: JSON.stringify(data.items.find(({ auditlogId }) => auditlogId === id)).replace(
			/[<&]/g,
			' ',
		),
	}));
}

async function sandboxPage({ addresses, control }: SandboxProcess) {
	const url = `${addresses.console}/api/admin-audit-log-entries?limit=1000`;
	return await control.get<{ items: JsonObject[] }>(url, { headers: defaultConsoleHeaders });
}

/** Of the three triggers: the one before them read the entries for the feed. */
async function requestsOf(sandbox: SandboxProcess): Promise<number> {
	return (await sandbox.control.get<{ total: number }>('/journal')).data.total - 1;
}

function consoleCredential({ addresses }: SandboxProcess) {
	const values = Object.entries(defaultConsoleHeaders).map(([name, value]) => ({ name, value }));
	return { consoleUrl: addresses.console, headers: { values } };
}

const HOW = `The polls of the one and of the other in turns, in one process with n8n's Node, through n8n-core's poll
executor. The items of the feed have the text of the entries. Each poll gets the same answer as the one
before, as in a log in which nothing happens, so the trigger knows it by its digest. The bare
trigger does what such a trigger usually does: n8n decrypts the credential, which the
RSS trigger does not have, and sends one request; then the IDs of the page are compared with those of the
poll before. The careful trigger does the least that must not be left out: it follows no redirect, ends a
request that is not answered, checks an answer before it parses it, and cuts out the credential. It knows
no failure, limit, page, late entry or restart. It gets its credential from n8n once and hands it on; for the bare trigger,
n8n reads and decrypts it twice, so the careful one can be the cheaper.`;
