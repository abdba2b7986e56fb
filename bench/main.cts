/** `npm run bench`: every measurement of measurements.cts, side by side with what it is held against. */
import { parseArgs } from 'node:util';
import { interruptible } from '../scripts/interruptible.cts';
import { measurements } from './measurements.cts';
import { runBench } from './runBench.cts';

const USAGE = `npm run bench -- [options]
  --quick       fewer and smaller runs, in less than three minutes once n8n is installed; RESULTS.md
                stays as it is
  --only NAME   only this measurement (several: --only A --only B), in the place of its last figures:
${measurements.map(({ name, what }) => `                  ${name.padEnd(20)} ${what}`).join('\n')}
  --no-record   print the figures and leave RESULTS.md as it is
It ends with 1 when a goal is missed that holds on every machine and under any load.`;

const args = process.argv.slice(2);
const { values } = parseArgs({
	args,
	options: {
		quick: { type: 'boolean', default: false },
		only: { type: 'string', multiple: true },
		'no-record': { type: 'boolean', default: false },
		help: { type: 'boolean', default: false },
	},
});

if (values.help) {
	console.log(USAGE);
} else {
	const { quick, only } = values;
	const options = {
		quick,
		only,
		record: !quick && !values['no-record'],
		command: ['npm run bench', ...(args.length > 0 ? ['--', ...args] : [])].join(' '),
	};
	const say = (line: string): void => console.log(line);
	void interruptible(async (teardown) => await runBench(options, say, teardown));
}
