import { markdownTable } from '../../scripts/measurements/markdownTable.cts';
import { timeByCause, type Cause, type CpuProfile } from './cpuProfile.cts';

const file = (...parts: RegExp[]): Cause['knows'] => {
	return ({ url }) => parts.some((part) => part.test(url));
};
const named = (...names: string[]): Cause['knows'] => {
	return ({ functionName, url }) => url === '' && names.includes(functionName);
};

const PACKAGE = /n8n-nodes-content-scan\/dist\//;
const REST = 'n8n: the rest';

/** Of a function that two of them know, the first one has it. */
const CAUSES: readonly Cause[] = [
	{ name: 'waiting for the server and the disk', knows: named('(idle)') },
	{ name: 'garbage collection', knows: named('(garbage collector)') },
	{ name: 'profiling', knows: file(/^node:inspector$/) },
	{ name: 'JSON of the answers', knows: file(/content-scan\/dist\/nodes\/transport\/exactJson/) },
	{
		name: 'de-duplication and position',
		knows: file(/content-scan\/dist\/nodes\/ConsoleAuditLog\//),
	},
	{
		name: 'HTTP',
		knows: file(
			PACKAGE,
			/request-helpers/,
			/backend-network/,
			/\/axios\//,
			/follow-redirects/,
			/^node:_?http/,
			/^node:net/,
		),
	},
	{
		name: "n8n: the execution's row (flatted, SQLite)",
		knows: file(/flatted/, /execution-persistence/, /typeorm/, /sqlite/),
	},
	{
		name: 'n8n: parameters and expressions',
		knows: file(/expression-runtime/, /n8n-workflow\//, /n8n-core\/.*node-execution-context/),
	},
];

/** A table of where the processor time of n8n's process went, the largest share first. */
export function timeSpentTable(profiles: Array<{ title: string; profile: CpuProfile }>): string {
	const columns = profiles.map(({ profile }) => timeByCause(profile, CAUSES, REST));
	for (const column of columns) column.delete('profiling');
	const names = [...new Set(columns.flatMap((column) => [...column.keys()]))];
	const cells = (name: string): number[] => {
		return columns.map((column) => Math.round(column.get(name) ?? 0));
	};
	const rows = names
		.map((name) => [name, ...cells(name)] as [string, ...number[]])
		.filter(([, ...milliseconds]) => milliseconds.some((one) => one > 0))
		.sort((one, other) => other[1] - one[1]);
	return markdownTable(['', ...profiles.map(({ title }) => `${title} (ms)`)], rows);
}
