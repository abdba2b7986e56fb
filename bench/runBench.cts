import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Teardown } from '../scripts/demo/teardown.cts';
import { measuredNow, recordIn, type Records } from '../scripts/measurements/records.cts';
import { duration, type Say } from '../scripts/progress.cts';
import { hostAndPackage } from '../scripts/n8n/hostAndPackage.cts';
import { drainedApart } from './drain/drainedApart.cts';
import { BenchN8n } from './inN8n/benchN8n.cts';
import { versionsOf } from './inN8n/versions.cts';
import type { Bench, Measurement } from './measurement.cts';
import { measurements } from './measurements.cts';
import { findingsTable, missesOf, resultsPage, type Results } from './results/resultsPage.cts';

export interface BenchOptions {
	quick: boolean;
	/** Name of the one measurement to run, or none for all. */
	only?: string;
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
		n8n: once(async () => await BenchN8n.start(host, tarball, teardown)),
		drained: oncePerValue(drainedApart),
		folder: once(async () => await temporaryFolder(teardown)),
	};
	const records: Records<Results> = {};
	for (const measurement of chosen(options)) {
		const { name, what, against, goal, measure } = measurement;
		say(`\n${what} …`);
		const started = Date.now();
		const { findings, details, chart } = await measure(bench);
		say(`${findingsTable(findings)}\n${name}: ${duration(Date.now() - started)}`);
		const picture = chart && { file: chart.file, description: chart.description };
		const results = { what, against, goal, findings, details, chart: picture, ...versions };
		records[name] = measuredNow(options.command, results);
		if (options.record) {
			if (chart) await writeFile(join(__dirname, chart.file), chart.svg);
			// After each, so that a run that is broken off leaves what it has found.
			await recordIn(__dirname, 'RESULTS', records, page);
		}
	}
	const findings = Object.values(records).flatMap(({ figures }) => figures.findings);
	const faults = findings.filter(({ met, stable }) => met === false && stable);
	say(`\n${findings.length} figures in ${duration(Date.now() - begun)}.`);
	for (const miss of missesOf(findings)) say(`Not met: ${miss}`);
	for (const fault of missesOf(faults)) console.error(`Wherever it is measured: ${fault}`);
	return faults.length === 0 ? 0 : 1;
}

/** @throws RangeError when there is no measurement of the name that is wanted */
function chosen({ quick, only }: BenchOptions): Measurement[] {
	if (only === undefined) return measurements.filter((one) => !quick || one.quick);
	const found = measurements.filter(({ name }) => name === only);
	if (found.length > 0) return found;
	const names = measurements.map(({ name }) => name).join(', ');
	throw new RangeError(`There is no measurement "${only}"; there are ${names}.`);
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

function oncePerValue<K, T>(make: (key: K) => Promise<T>): (key: K) => Promise<T> {
	const made = new Map<K, Promise<T>>();
	return async (key) => {
		const known = made.get(key) ?? make(key);
		made.set(key, known);
		return await known;
	};
}
