import hostManifest from '../../../n8n-host/package.json';
import { markdownTable } from '../../../scripts/measurements/markdownTable.cts';
import type { Records } from '../../../scripts/measurements/records.cts';
import type { ReceivedCount } from '../queueMode/deliveries.cts';
import type { DeliveryCount } from './deliveryCount.cts';
import type { ActivationLoss } from './killWhileActivating.cts';
import { killModes } from './modes.cts';

/** What is kept of a run. */
export type KillFigures =
	| { when: 'running'; mode: string; kills: number; count: Counted<DeliveryCount> }
	| { when: 'workers'; mode: string; kills: number; count: Counted<ReceivedCount> }
	| { when: 'activating'; mode: string; kills: number; loss: ActivationLoss };

/** Numbers in the place of lists of ids. */
type Counted<T> = { [Key in keyof T]: T[Key] extends string[] ? number : T[Key] };

export function counted<T extends object>(count: T): Counted<T> {
	const numbers = Object.entries(count).map(([name, value]) => [
		name,
		Array.isArray(value) ? value.length : value,
	]);
	return Object.fromEntries(numbers) as Counted<T>;
}

/** In the order of the modes, whatever was measured last. */
function inOrder(records: Records<KillFigures>): KillFigures[] {
	const titles = Object.values(killModes).map(({ title }) => title);
	return Object.values(records)
		.map(({ figures }) => figures)
		.sort((a, b) => titles.indexOf(a.mode) - titles.indexOf(b.mode));
}

/** The table of what was measured at this time. */
export function tableOf(when: KillFigures['when'], all: readonly KillFigures[]): string {
	return { running: deliveryTable, activating: activationTable, workers: workerTable }[when](all);
}

function deliveryTable(all: readonly KillFigures[]): string {
	const rows = all.flatMap((figures) => {
		if (figures.when !== 'running') return [];
		const { produced, lost, twice, twiceAfterItsEnd, executions, withoutEntries, interrupted } =
			figures.count;
		const { crashed, ranAgain, left, entries } = interrupted;
		return [
			[
				...[figures.mode, figures.kills, produced, lost, twice, twiceAfterItsEnd],
				...[executions, withoutEntries, crashed + left, entries, ranAgain],
			],
		];
	});
	return markdownTable(
		[
			'Mode',
			'Kills',
			'Entries',
			'Not delivered',
			'Delivered twice',
			'Of these, uninterrupted',
			'Executions',
			'Empty',
			'Interrupted',
			'Entries in them',
			'Run again by n8n',
		],
		rows,
	);
}

function workerTable(all: readonly KillFigures[]): string {
	const rows = all.flatMap((figures) => {
		if (figures.when !== 'workers') return [];
		const { produced, lost, twice, twiceAfterItsEnd, executions, withoutEntries } = figures.count;
		const { interrupted, entriesInInterrupted } = figures.count;
		return [
			[
				...[figures.mode, figures.kills, produced, lost, twice, twiceAfterItsEnd],
				...[executions, withoutEntries, interrupted, entriesInInterrupted],
			],
		];
	});
	return markdownTable(
		[
			'Mode',
			'Kills',
			'Entries',
			'Not received',
			'Received twice',
			'Of these, uninterrupted',
			'Executions',
			'Empty',
			'Interrupted',
			'Entries in them',
		],
		rows,
	);
}

function activationTable(all: readonly KillFigures[]): string {
	const rows = all.flatMap((figures) => {
		if (figures.when !== 'activating') return [];
		const { killsWithLoss, lost, longestGapMs } = figures.loss;
		return [[figures.mode, figures.kills, killsWithLoss, lost, Math.round(longestGapMs / 1000)]];
	});
	return markdownTable(
		['Mode', 'Kills', 'Kills with a gap', 'Entries not delivered', 'Longest gap (s)'],
		rows,
	);
}

/** The runs as they can be repeated; what they share is said once. */
function runsOf(records: Records<KillFigures>): string {
	const runs = new Map<string, string[]>();
	for (const { date, machine, command } of Object.values(records)) {
		const options = `\`${command.replace(/^npm run test:kill -- | --kills \d+| --record$/g, '')}\``;
		const origin = `${date}, ${machine}`;
		runs.set(origin, [...(runs.get(origin) ?? []), options]);
	}
	return [...runs].map(([origin, options]) => `- ${origin}: ${options.join(', ')}`).join('\n');
}

/** The page of figures; it is written by `npm run test:kill -- --record` and not by hand. */
export function killPage(records: Records<KillFigures>, entriesPerMinute: number): string {
	const all = inOrder(records);
	return `# n8n, killed

The audit log entries and scans that n8n ${hostManifest.dependencies.n8n} delivered when it was killed (SIGKILL) and
restarted. [Expected](../guarantees.md#which-to-choose): only *Default mode, handed over* leaves some
undelivered, and *Durable cursors, handed over* delivers none twice. Every second kill is aimed at the
weakest moment: the shares are not those of ordinary crashes.

## While the workflow is published

One process, SQLite. "Delivered" means: an execution row in n8n's database holds the entry or scan.

${deliveryTable(all)}

- **Delivered twice**: entries that the rows hold more than once.
- **Of these, uninterrupted**: the same, counting only executions that no kill ended; n8n had not yet
  stored that the entries were delivered.
- **Empty**: executions without entries, which only store the new position.
- **Interrupted**: executions that a kill ended and n8n did not run again, even if still \`new\` or
  \`running\`. *Handed over*: their entries stay in the row, unprocessed. *Finished*: the trigger delivered
  them again.
- **Entries in them**: an entry in two of them counts twice (in queue mode, once).
- **Run again by n8n**: executions that n8n started once more after the kill, because no node of theirs
  had run.

${entriesPerMinute} entries, or ${entriesPerMinute / 4} to ${entriesPerMinute} scans, arrive each minute, and the trigger polls every ten seconds. Every
second kill comes up to 20 ms after n8n's first database write that follows a poll, when it stores
position and execution. The others come, in turn: up to 2 s after that write, while the workflow runs; up to
15 s after n8n's start; up to 100 ms after a poll's answer.

## Workers killed at work, in queue mode

A main process, two workers, Redis and PostgreSQL. Each kill aims at a worker whose execution holds
entries. "Received" means: by the receiver at the end of the workflow.

${workerTable(all)}

## Between publishing and the first poll time

*Start From* is *Now*. Each kill follows the publishing of another workflow.

${activationTable(all)}

After a kill during publishing, n8n does not poll until that activation's lease ends (two minutes by
default, ten seconds here). Nothing is lost.

## Causes

- **Default mode, handed over**: n8n stores the position and the execution separately, not in one
  transaction. Killed between the two, it loses the batch or delivers it twice. With *finished* and
  *succeeded*, the position stays before the batch until its execution has ended.
- **Durable cursors**: after a restart, n8n runs several polls at once, some from an old position. The
  trigger delivers nothing from those.
- **A failed start**: n8n 2.41's first start after a kill sometimes ends with \`Cannot read properties of
  null (reading 'getTime')\`. The second succeeds.

## Runs

\`npm run test:kill -- … --kills … --record\`, with the tables' *Kills* and:

${runsOf(records)}
`;
}
