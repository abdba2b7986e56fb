import { parseArgs } from 'node:util';
import { killModeNames, type KillModeName } from './modes.cts';

export const USAGE = `npm run test:kill -- [options]
  --kills N         how often n8n is killed in each mode (default 3)
  --mode MODE       ${killModeNames.join(', ')}; all of them when not given
  --when WHEN       running (default): while the workflow is active;
                    activating: between the activation and the first tick, starting from now;
                    workers: workers at work, in queue mode on Redis and PostgreSQL
  --seed S          decides the moments of the kills (default 1)
  --record          write the figures to docs/measurements/kill.md`;

const TIMES = ['running', 'activating', 'workers'] as const;

export type KillTime = (typeof TIMES)[number];

export interface KillOptions {
	kills: number;
	modes: KillModeName[];
	when: KillTime;
	seed: number;
	record: boolean;
	help: boolean;
	/** The command that gives the same run again. */
	command: string;
}

/** @throws Error that names the option which cannot be used */
export function killOptions(args: string[]): KillOptions {
	const { values } = parseArgs({
		args,
		options: {
			kills: { type: 'string', default: '3' },
			mode: { type: 'string' },
			when: { type: 'string', default: 'running' },
			seed: { type: 'string', default: '1' },
			record: { type: 'boolean', default: false },
			help: { type: 'boolean', default: false },
		},
	});
	const { mode, when, record, help } = values;
	const modes = killModeNames.filter((name) => mode === undefined || name === mode);
	if (modes.length === 0) throw new Error(`There is no mode '${mode}'.`);
	const time = TIMES.find((one) => one === when);
	if (!time) throw new Error(`There is no time '${when}'.`);
	return {
		kills: wholeNumber('--kills', values.kills),
		modes,
		when: time,
		seed: wholeNumber('--seed', values.seed),
		record,
		help,
		command: ['npm run test:kill --', ...args].join(' '),
	};
}

function wholeNumber(option: string, text: string): number {
	const number = Number(text);
	if (text.trim() !== '' && Number.isSafeInteger(number) && number >= 0) return number;
	throw new Error(`${option} '${text}' is not a whole number.`);
}
