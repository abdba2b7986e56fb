/**
 * `npm run test:kill`: what the trigger loses, and what it delivers twice, when the real n8n is killed.
 * Ends with 1 when a mode breaks what it promises.
 */
import { Teardown } from '../../../scripts/demo/teardown.cts';
import { measuredNow, record, type Records } from '../../../scripts/measurements/records.cts';
import { duration } from '../../../scripts/progress.cts';
import { hostAndPackage } from '../../../scripts/n8n/hostAndPackage.cts';
import { interruptible } from '../../../scripts/interruptible.cts';
import { brokenPromises } from './brokenPromises.cts';
import { counted, killPage, tableOf, type KillFigures } from './figures.cts';
import { killWhileActivating } from './killWhileActivating.cts';
import { killWhileRunning, type KillRunOptions } from './killWhileRunning.cts';
import {
	killWorkersWhileRunning,
	type WorkerKillOptions,
} from '../queueMode/killWorkersWhileRunning.cts';
import { killMode } from './modes.cts';
import { killOptions, USAGE, type KillOptions } from './options.cts';

const ENTRIES_PER_MINUTE = 120;

const say = (line: string): void => console.log(line);

async function main(args: string[], teardown: Teardown): Promise<number> {
	let options: KillOptions;
	try {
		options = killOptions(args);
	} catch (error) {
		console.error(`${error instanceof Error ? error.message : error}\n\n${USAGE}`);
		return 1;
	}
	if (options.help) {
		say(USAGE);
		return 0;
	}
	return await killInEachMode(options, teardown);
}

async function killInEachMode(options: KillOptions, teardown: Teardown): Promise<number> {
	const { kills, seed, when, command } = options;
	const installed = await hostAndPackage(say, teardown);
	const records: Records<KillFigures> = {};
	const faults: string[] = [];
	for (const name of options.modes) {
		const mode = killMode(name);
		const started = Date.now();
		say(`${mode.title}, ${kills} kills, ${when}`);
		// Of this mode only, so that no two n8n run at a time.
		const ofMode = new Teardown();
		teardown.add(() => ofMode.run());
		const figures = await measure(when, {
			...installed,
			mode,
			kills,
			seed,
			entriesPerMinute: ENTRIES_PER_MINUTE,
			say,
			teardown: ofMode,
		});
		await ofMode.run();
		say(`  ${duration(Date.now() - started)}`);
		faults.push(...brokenPromises(mode, figures));
		records[`${mode.title}, ${when}`] = measuredNow(command, figures);
	}

	const all = Object.values(records).map(({ figures }) => figures);
	say(`\n${tableOf(when, all)}`);
	if (options.record) await record('kill', records, (kept) => killPage(kept, ENTRIES_PER_MINUTE));
	for (const fault of faults) console.error(fault);
	return faults.length === 0 ? 0 : 1;
}

async function measure(
	when: KillOptions['when'],
	run: KillRunOptions & WorkerKillOptions,
): Promise<KillFigures> {
	const { kills } = run;
	const mode = run.mode.title;
	if (when === 'activating') return { when, mode, kills, loss: await killWhileActivating(run) };
	if (when === 'workers') {
		return { when, mode, kills, count: counted(await killWorkersWhileRunning(run)) };
	}
	const count = await killWhileRunning(run);
	for (const what of ['lost', 'twiceAfterItsEnd', 'invented'] as const) {
		if (count[what].length > 0) say(`  ${what}, the first: ${count[what].slice(0, 3).join(', ')}`);
	}
	return { when, mode, kills, count: counted(count) };
}

void interruptible((teardown) => main(process.argv.slice(2), teardown));
