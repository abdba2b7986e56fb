/** `npm run bench:drain`: drains backlogs and measures; see figures.cts for the bounds. */
import { parseArgs } from 'node:util';
import { describeFailure } from '../../scripts/actionableError.cts';
import { measuredNow, record, type Records } from '../../scripts/measurements/records.cts';
import { buildPackage } from '../../scripts/package/build.cts';
import { duration } from '../../scripts/progress.cts';
import { measureApart } from './drainedApart.cts';
import { drainPage, drainTable, faultsOf, stateTable, type BacklogFigures } from './figures.cts';
import { drainScenarios } from './scenarios.cts';

const STATES = 'size of the stored state';

const USAGE = `npm run bench:drain -- [options]
  --only TEXT   only what has this text in its name:
${[...drainScenarios.map(({ title }) => title), STATES].map((name) => `                  ${name}`).join('\n')}
  --record      write the figures to docs/measurements/drain.md`;

async function main(args: string[]): Promise<number> {
	const { values } = parseArgs({
		args,
		options: {
			only: { type: 'string', default: '' },
			record: { type: 'boolean', default: false },
			help: { type: 'boolean', default: false },
		},
	});
	if (values.help) {
		console.log(USAGE);
		return 0;
	}
	await buildPackage();
	const command = ['npm run bench:drain --', ...args].join(' ');
	const records: Records<BacklogFigures> = {};
	for (const scenario of drainScenarios) {
		const { title } = scenario;
		if (!title.includes(values.only)) continue;
		const figures = await timed(title, ['drain', JSON.stringify(scenario)]);
		records[title] = measuredNow(command, { kind: 'drain', title, figures } as BacklogFigures);
	}
	if (STATES.includes(values.only)) {
		const figures = await timed(STATES, ['states']);
		records[STATES] = measuredNow(command, { kind: 'states', figures } as BacklogFigures);
	}

	const all = Object.values(records).map(({ figures }) => figures);
	const tables = [drainTable, stateTable].map((table) => table(all)).filter((text) => text !== '');
	console.log(`\n${tables.join('\n\n')}`);
	if (values.record) await record('drain', records, drainPage);
	const faults = all.flatMap(faultsOf);
	for (const fault of faults) console.error(fault);
	return faults.length === 0 ? 0 : 1;
}

async function timed<T>(title: string, args: string[]): Promise<T> {
	const started = Date.now();
	const figures = await measureApart<T>(args);
	console.log(`${title}: ${duration(Date.now() - started)}`);
	return figures;
}

void main(process.argv.slice(2))
	.catch((error: unknown) => {
		console.error(describeFailure(error));
		return 1;
	})
	.then((code) => process.exit(code));
