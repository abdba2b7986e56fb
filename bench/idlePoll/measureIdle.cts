/**
 * Polls that find nothing new, of this package's trigger, of two bare ones and of n8n's RSS trigger, in
 * one process through n8n-core's poll executor. Arguments: the set-up, as JSON. Prints the figures as JSON.
 */
import { createPollHarness, type PollHarness } from '../../test/support/engine/pollHarness.cts';
import { processorTime } from '../../test/support/processorTime.cts';
import { printFigures } from '../measuredApart.cts';
import { CONTENDERS, WARM_UP_ROUNDS, type IdleFigures, type IdleSetup } from './idleSetup.cts';

async function measure({ trigger, bare, rss, rounds, polls }: IdleSetup): Promise<IdleFigures> {
	const idleBare = async (checks: string) =>
		await idle(
			{ type: 'bareTrigger', parameters: { checks } },
			{ browserConsoleHeadersApi: trigger.credential },
			bare.packageFolder,
		);
	const contenders = {
		trigger: await idle(
			{ type: 'consoleAuditLogTrigger', parameters: trigger.parameters },
			{ browserConsoleHeadersApi: trigger.credential },
		),
		careful: await idleBare(bare.checks),
		bare: await idleBare(''),
		rss: await idle(
			{ type: 'rssFeedReadTrigger', parameters: { feedUrl: rss.feedUrl } },
			{},
			rss.packageFolder,
		),
	};
	const milliseconds: IdleFigures['milliseconds'] = {
		trigger: [],
		careful: [],
		bare: [],
		rss: [],
	};
	for (let round = 0; round < WARM_UP_ROUNDS + rounds; round += 1) {
		for (const name of CONTENDERS) {
			const spent = await processorTimeOf(contenders[name], polls);
			if (round >= WARM_UP_ROUNDS) milliseconds[name].push(spent / 1000 / polls);
		}
	}
	return { milliseconds };
}

/** A trigger that is active and has handed over what there is. */
async function idle(
	node: { type: string; parameters: Record<string, unknown> },
	credentials: Record<string, Record<string, unknown>>,
	packageFolder?: string,
): Promise<PollHarness> {
	const harness = await createPollHarness({
		node,
		credentials,
		mode: 'default',
		packageFolder,
	});
	await harness.activate();
	return harness;
}

/** In microseconds. @throws Error when a poll finds something, or fails */
async function processorTimeOf(harness: PollHarness, polls: number): Promise<number> {
	const { length } = harness.executions;
	const before = processorTime();
	for (let poll = 0; poll < polls; poll += 1) {
		await harness.tick();
	}
	const spent = processorTime() - before;
	const [error] = harness.errors;
	if (error) throw new Error(`A poll failed: ${error.message}`);
	if (harness.executions.length > length) throw new Error('A poll that was idle found something.');
	return spent;
}

printFigures(measure(JSON.parse(process.argv[2]) as IdleSetup));
