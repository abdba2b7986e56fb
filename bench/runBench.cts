import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import execa from 'execa';
import type { Teardown } from '../scripts/demo/teardown.cts';
import type { N8nHost } from '../scripts/n8n/host.cts';
import { measuredNow, recordIn, type Records } from '../scripts/measurements/records.cts';
import { duration, type Say } from '../scripts/progress.cts';
import { hostAndPackage } from '../scripts/n8n/hostAndPackage.cts';
import { BARE_READER, bareNodeSetting, GARBAGE_COLLECTOR } from './inN8n/bareNode.cts';
import { BenchN8n } from './inN8n/benchN8n.cts';
import type { Bench, Measurement } from './measurement.cts';
import { measurements } from './measurements.cts';
import { findingsTable, missesOf, resultsPage, type Results } from './results/resultsPage.cts';

export interface BenchOptions {
	quick: boolean;
	/** Names of the measurements to run; without it all. */
	only?: readonly string[];
	/** Whether to write RESULTS.md. */
	record: boolean;
	command: string;
}

/** Runs the measurements one after the other. Returns the exit code. */
export async function runBench(
	options: BenchOptions,
	say: Say,
	teardown: Teardown,
): Promise<number> {
	const begun = Date.now();
	const { host, tarball } = await hostAndPackage(say, teardown);
	const versions = await versionsOf(host);
	const bench: Bench = {
		quick: options.quick,
		say,
		teardown,
		host,
		tarball,
		n8n: once(async () => {
			const nodes = [BARE_READER, GARBAGE_COLLECTOR];
			const settings = await bareNodeSetting(nodes, await bench.folder());
			return await BenchN8n.start({ host, tarball, teardown }, settings);
		}),
		folder: once(async () => await temporaryFolder(teardown)),
	};
	const records: Records<Results> = {};
	for (const measurement of chosen(options)) {
		const { name, what, against, goal, measure } = measurement;
		say(`\n${what} …`);
		const started = Date.now();
		const { findings, details } = await measure(bench);
		say(`${findingsTable(findings)}\n${name}: ${duration(Date.now() - started)}`);
		const results = { what, against, goal, findings, details, ...versions };
		records[name] = measuredNow(options.command, results);
		if (options.record) {
			// After each, so that a run that is broken off leaves what it has found.
			await recordIn(__dirname, 'RESULTS', records, page);
		}
	}
	const all = Object.values(records).map(({ figures }) => figures);
	const count = all.flatMap(({ findings }) => findings).length;
	say(`\n${count} figures in ${duration(Date.now() - begun)}.`);
	for (const miss of all.flatMap(missesOf)) say(`Not met: ${miss}`);
	const faults = all.flatMap(({ what, findings }) =>
		missesOf({ what, findings: findings.filter(({ stable }) => stable) }),
	);
	for (const fault of faults) console.error(`Wherever it is measured: ${fault}`);
	return faults.length === 0 ? 0 : 1;
}

/** @throws RangeError when there is no measurement of a name that is wanted */
function chosen({ quick, only }: BenchOptions): readonly Measurement[] {
	if (!only) return measurements.filter((one) => !quick || one.quick);
	const names = measurements.map(({ name }) => name);
	const unknown = only.find((name) => !names.includes(name));
	if (unknown === undefined) return measurements.filter(({ name }) => only.includes(name));
	throw new RangeError(`There is no measurement "${unknown}"; there are ${names.join(', ')}.`);
}

function page(records: Records<Results>): string {
	const order = measurements.map(({ name }) => name);
	return resultsPage(order, records);
}

async function temporaryFolder(teardown: Teardown): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), 'content-scan-bench-'));
	teardown.add(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
	return folder;
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
	let made: Promise<T> | undefined;
	return async () => await (made ??= make());
}

/** The versions of an installed n8n and of the Node that runs it. */
async function versionsOf({ folder, node }: N8nHost): Promise<{ n8n: string; node: string }> {
	const manifest = join(folder, 'node_modules', 'n8n', 'package.json');
	const { version } = JSON.parse(await readFile(manifest, 'utf8')) as { version: string };
	const { stdout } = await execa(node.binary, ['--version']);
	return { n8n: version, node: stdout.replace(/^v/, '') };
}
