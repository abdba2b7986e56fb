import type { PollBench } from '../support/pollBench.cts';
import type { PollHarness } from '../support/engine/pollHarness.cts';
import { ConsoleBench } from '../support/consoleBench.cts';
import { FeedBench } from '../support/feedBench.cts';

/** A trigger that gets more than it may deliver says so in n8n's log. */

// A busy machine is no reason to fail.
jest.setTimeout(30_000);

const MINUTE = 60_000;

let bench: PollBench;

afterEach(async () => await bench.close());

async function scanTrigger(most?: number) {
	const feed = await FeedBench.open();
	bench = feed;
	const parameters = most === undefined ? {} : { options: { maxScansPerPoll: most } };
	const harness = await feed.trigger('default', parameters);
	return { harness, arrive: () => feed.arrive(...Array.from({ length: 10 }, () => ({}))) };
}

async function auditTrigger(most?: number) {
	const console = await ConsoleBench.open();
	bench = console;
	const parameters = most === undefined ? {} : { options: { maxEntriesPerPoll: most } };
	const harness = await console.trigger('default', parameters);
	return { harness, arrive: () => console.append(10) };
}

/** Hours with a poll each five minutes, and ten new ones before each. */
async function lived(harness: PollHarness, arrive: () => void, hours: number): Promise<string[]> {
	await harness.activate();
	for (let minute = 0; minute < hours * 60; minute += 5) {
		bench.clock.advance(5 * MINUTE);
		arrive();
		await harness.tick();
	}
	return harness.log.entries.map(({ message }) => message).filter((text) => /behind/.test(text));
}

describe.each([
	['Content Scan Trigger', scanTrigger, 'Max Scans per Poll'],
	['Console Audit Log Trigger', auditTrigger, 'Max Entries per Poll'],
])('%s', (_, open, option) => {
	it('says once an hour that it falls behind', async () => {
		const { harness, arrive } = await open(2);
		const said = await lived(harness, arrive, 4);
		expect([2, 3]).toContain(said.length);
		expect(said[0]).toMatch(/is [12]\.\d hours behind, and does not catch up/);
		expect(said[0]).toContain(option);
	});

	it('says nothing where it keeps up', async () => {
		const { harness, arrive } = await open();
		expect(await lived(harness, arrive, 3)).toEqual([]);
	});
});
