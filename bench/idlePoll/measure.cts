import { join } from 'node:path';
import { defaultConsoleHeaders } from '../../sandbox/fixtures/accounts.cts';
import type { JsonObject } from '../../sandbox/jsonValue.cts';
import { median } from '../comparison/contenders.cts';
import { measuredApart } from '../measuredApart.cts';
import type { Bench, Outcome } from '../measurement.cts';
import { ratioFinding, valueFinding } from '../results/finding.cts';
import { startSandboxProcess, type SandboxProcess } from '../sandboxProcess.cts';
import type { IdleFigures, IdleSetup } from './idleFigures.cts';
import { rssPackage, serveFeed } from './rssFeed.cts';

/** Entries within the lookback: fewer than a page of the default size holds. */
const ENTRIES = 20;
/** They stay within the lookback as long as the measurement runs. */
const LOOKBACK_MINUTES = 60;
const TIMES = { full: { rounds: 10, polls: 200 }, quick: { rounds: 5, polls: 100 } };
/** The poll at activation hands the entries over. */
const FIRST_POLLS = 1;

/** What a poll costs that finds nothing new. */
export async function measureIdlePoll(bench: Bench): Promise<Outcome> {
	const sandbox = await startSandboxProcess({ console: { historyEntries: 0 } }, 1);
	bench.teardown.add(() => sandbox.end());
	const items = await entriesOf(sandbox);
	const feed = await serveFeed(items);
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
		rss: {
			feedUrl: feed.url,
			packageFolder: await rssPackage(await bench.folder(), bench.host.folder),
		},
	};
	const script = join(__dirname, 'measureIdle.cts');
	const { milliseconds } = await measuredApart<IdleFigures>(script, [JSON.stringify(setup)], {
		node: bench.host.node.binary,
	});
	const ratios = milliseconds.trigger.map((spent, round) => spent / milliseconds.rss[round]);
	const polls = (times.rounds + 1) * times.polls;
	const perPoll = ((await requestsOf(sandbox)) - FIRST_POLLS) / polls;
	const [own, rss] = [milliseconds.trigger, milliseconds.rss].map(median);
	return {
		findings: [
			valueFinding('requests per poll', perPoll, '', { atLeast: 1, atMost: 1, stable: true }),
			ratioFinding('processor time of a poll, in that of the RSS trigger', ratios, {
				atMost: 1,
			}),
		],
		details: `${ENTRIES} entries within the lookback, and a feed of as many items with the same text. A poll takes
${own.toFixed(2)} ms of processor time, one of the RSS trigger ${rss.toFixed(2)} ms, through n8n-core's poll executor in one
process, ${times.polls} polls of the one and then of the other, ${times.rounds} times. What n8n itself adds when it reads a
credential is not in it; the RSS trigger has none.`,
	};
}

async function entriesOf(sandbox: SandboxProcess) {
	const begun = Date.now();
	const entries = Array.from({ length: ENTRIES }, (_, minute) => ({ at: begun - minute * 60_000 }));
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

/** Of the trigger: the one before them read the entries for the feed. */
async function requestsOf(sandbox: SandboxProcess): Promise<number> {
	return (await sandbox.control.get<{ total: number }>('/journal')).data.total - 1;
}

function consoleCredential({ addresses }: SandboxProcess) {
	const values = Object.entries(defaultConsoleHeaders).map(([name, value]) => ({ name, value }));
	return { consoleUrl: addresses.console, headers: { values } };
}
