import hostManifest from '../../../n8n-host/package.json';
import { markdownTable } from '../../../scripts/measurements/markdownTable.cts';
import { originOf, type Records } from '../../../scripts/measurements/records.cts';
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
			'Lost',
			'Twice',
			'Of these, after the end',
			'Executions',
			'Without entries',
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
			'Lost',
			'Twice',
			'Of these, after the end',
			'Executions',
			'Without entries',
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
		['Mode', 'Kills', 'Kills with a loss', 'Entries lost', 'Longest gap (s)'],
		rows,
	);
}

/** The page of figures; it is written by `npm run test:kill -- --record` and not by hand. */
export function killPage(records: Records<KillFigures>, entriesPerMinute: number): string {
	const all = inOrder(records);
	return `# n8n, killed

What became of audit log entries, and of scans, when the real n8n ${hostManifest.dependencies.n8n} was killed (SIGKILL)
and started again. Written by the commands below with \`--record\`.

${originOf(records)}

In each minute ${entriesPerMinute} entries come in, or ${entriesPerMinute / 4} to ${entriesPerMinute} scans. The trigger has six poll times a minute instead of one, so that
each run of n8n polls soon. Half of the kills come within 20 ms after n8n's first write to its database
that follows a poll, when it stores the trigger's state and the execution; the others while it reads
and hands over, while the workflow runs, or at any moment after the start. At the end, what stands in
n8n's execution rows is compared with what came in.

## While the workflow is active

On SQLite.

${deliveryTable(all)}

- **Lost**: in no execution row. **Twice**: in more than one. **After the end**: although no kill had
  stopped an execution that held them; it came before n8n had stored that they were delivered.
- **Without entries**: executions by which the trigger has n8n store that a batch is delivered.
- **Interrupted**: executions that a kill ended while the workflow worked on the entries, and that n8n
  gave up afterwards. *Handed over*: nobody works on their entries any more, which stand in the row.
  *Finished*: their entries came again.
- **Run again by n8n**: executions that were interrupted before their first node, and that n8n ran
  again from their row.

## Workers killed at work, in queue mode

A main process, two workers, Redis and PostgreSQL. Only executions that hold entries are hit. At the
end, what the workflow's receiver got is compared with the console's log.

${workerTable(all)}

- **Lost**: never received. **Twice**: received more than once. **After the end**: from executions whose
  worker lived.

## Why default mode can lose a batch that was only handed over

n8n in its default mode writes the trigger's state and starts the execution, one beside the other and
in no transaction. A kill after the first and before the second loses that batch; a kill the other way
round brings it twice. With *Workflow Has Finished* the state stays before the batch until its
execution has ended, so that neither order loses it.

With durable cursors n8n catches up after a restart with several polls at once. One of them may begin
where another has been a moment ago; the trigger recognises that and hands nothing over from there.

n8n 2.41 sometimes ends its first start after a kill with an error of its own (\`Cannot read properties
of null (reading 'getTime')\`), and gets past it with the second: let a service manager start it again,
as this test does.

After a kill in the middle of an activation n8n does not poll until the lease of that activation has
run out (two minutes by default, ten seconds here). Nothing is lost by it.

## Between the activation and the first tick

Start From is Now; a kill for each of as many newly activated workflows.

${activationTable(all)}
`;
}
