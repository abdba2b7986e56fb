/** `npm run bench:queue`: what the call queue makes of a licensed rate; see figures.cts for the bounds. */
import { parseArgs } from 'node:util';
import { describeFailure } from '../../scripts/actionableError.cts';
import { measuredNow, record, type Records } from '../../scripts/measurements/records.cts';
import { buildPackage } from '../../scripts/package/build.cts';
import { duration } from '../../scripts/progress.cts';
import {
	adaptationTable,
	faultsOf,
	queuePage,
	realTimeTable,
	steadyTable,
	type QueueFigures,
} from './figures.cts';
import { realTime } from './realTime.cts';
import { adaptations, steady } from './simulations.cts';

const SIMULATED = 'simulated time';
const REAL_TIME = 'real time';

const USAGE = `npm run bench:queue -- [options]
  --only TEXT   only what has this text in its name: '${SIMULATED}', '${REAL_TIME}'
  --scans N     URL scans in real time (default 400)
  --rate N      calls a minute in real time (default 180)
  --record      write the figures to docs/measurements/queue.md`;

const say = (line: string): void => console.log(line);

async function main(args: string[]): Promise<number> {
	const { values } = parseArgs({
		args,
		options: {
			only: { type: 'string', default: '' },
			scans: { type: 'string', default: '400' },
			rate: { type: 'string', default: '180' },
			record: { type: 'boolean', default: false },
			help: { type: 'boolean', default: false },
		},
	});
	if (values.help) {
		say(USAGE);
		return 0;
	}
	const command = ['npm run bench:queue --', ...args].join(' ');
	const records: Records<QueueFigures> = {};
	const measure = async (title: string, measuring: () => Promise<QueueFigures>): Promise<void> => {
		if (!title.includes(values.only)) return;
		const started = Date.now();
		records[title] = measuredNow(command, await measuring());
		say(`${title}: ${duration(Date.now() - started)}`);
	};
	await measure(SIMULATED, async () => ({
		kind: 'simulated',
		steady: [await steady(1_000, 100), await steady(1_001, 100), await steady(10_000, 1_000)],
		adaptations: await adaptations(),
	}));
	await measure(REAL_TIME, async () => {
		await buildPackage();
		const figures = await realTime(Number(values.scans), Number(values.rate), say);
		return { kind: 'realTime', figures };
	});

	const all = Object.values(records).map(({ figures }) => figures);
	for (const table of [steadyTable, adaptationTable, realTimeTable]) say(`\n${table(all)}`);
	if (values.record) await record('queue', records, queuePage);
	const faults = all.flatMap(faultsOf);
	for (const fault of faults) console.error(fault);
	return faults.length === 0 ? 0 : 1;
}

void main(process.argv.slice(2))
	.catch((error: unknown) => {
		console.error(describeFailure(error));
		return 1;
	})
	// n8n-core keeps timers of its own.
	.then((code) => process.exit(code));
