import { parseArgs } from 'node:util';
import type { Part } from './part.cts';

export const USAGE = `npm run test:e2e -- [options] [parts]
  --list     name the parts, and run none
  --record   write the times to docs/measurements/e2e.md
All parts run, one after the other, when none is named.`;

export interface E2eOptions {
	parts: readonly Part[];
	list: boolean;
	record: boolean;
	help: boolean;
	/** The command that gives the same run again. */
	command: string;
}

/** @throws Error that names the option or part which does not exist */
export function e2eOptions(args: string[], parts: readonly Part[]): E2eOptions {
	const { values, positionals } = parseArgs({
		args,
		allowPositionals: true,
		options: {
			list: { type: 'boolean', default: false },
			record: { type: 'boolean', default: false },
			help: { type: 'boolean', default: false },
		},
	});
	const unknown = positionals.find((name) => !parts.some((part) => part.name === name));
	if (unknown !== undefined) throw new Error(`There is no part '${unknown}'.`);
	const wanted = positionals.length > 0 ? new Set(positionals) : undefined;
	return {
		...values,
		parts: parts.filter(({ name }) => wanted?.has(name) ?? true),
		command: ['npm run test:e2e', ...(args.length > 0 ? ['--', ...args] : [])].join(' '),
	};
}
