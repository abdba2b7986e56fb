import type { MoveOn } from '../../nodes/common/polling/moveOn';
import type { Ending, PersistenceMode } from '../support/engine/pollHarness.cts';
import { FeedBench, scanIds } from '../support/feedBench.cts';
import { heldWork } from '../support/moveOn.cts';

/** Move On When in the Content Scan Trigger: what becomes of scans by how their execution ends. */

jest.setTimeout(30_000);

const MINUTE = 60_000;

let feed: FeedBench;

beforeEach(async () => (feed = await FeedBench.open()));

afterEach(async () => await feed.close());

describe.each<PersistenceMode>(['default', 'durable'])('in %s mode', (mode) => {
	async function activeFeed(moveOn: MoveOn) {
		const harness = await feed.trigger(mode, { options: { moveOn } });
		await harness.activate();
		feed.clock.advance(2000);
		return harness;
	}

	it.each<[MoveOn, Ending, number]>([
		['finished', 'success', 1],
		['finished', 'error', 1],
		['finished', 'deadWorker', 2],
		['succeeded', 'success', 1],
		['succeeded', 'error', 2],
		['succeeded', 'deadWorker', 2],
	])('%s: scans whose execution ends as %s come %i times', async (moveOn, ending, times) => {
		const harness = await activeFeed(moveOn);
		const first = feed.arrive({}, {});
		let count = 0;
		harness.workflow = () => (count++ === 0 ? ending : 'success');
		await feed.minutes(harness);
		const later = feed.arrive({});
		await feed.minutes(harness, 3);
		await harness.restart();
		await feed.minutes(harness, 2);

		const arrived = scanIds(harness);
		for (const id of first) expect(arrived.filter((one) => one === id)).toHaveLength(times);
		for (const id of later) expect(arrived.filter((one) => one === id)).toHaveLength(1);
		expect(harness.errors).toEqual([]);
	});

	it.each<MoveOn>(['finished', 'succeeded'])(
		'%s: n8n is killed at work: the scans come again, with those that finished since',
		async (moveOn) => {
			const harness = await activeFeed(moveOn);
			const first = feed.arrive({}, {});
			const [slow] = feed.arrive({ finishAt: feed.inMinutes(3) });
			harness.workflow = () => {
				harness.kill();
				return 'success';
			};
			await feed.minutes(harness);
			harness.workflow = () => 'success';
			feed.clock.advance(5 * MINUTE);
			await harness.restart();
			await feed.minutes(harness, 10);

			expect(scanIds(harness).sort()).toEqual([...first, ...first, slow].sort());
		},
	);

	it('a workflow that takes long holds later scans back, and a restart brings nothing twice', async () => {
		const harness = await activeFeed('finished');
		const first = feed.arrive({});
		const { workflow, end } = heldWork(feed.clock);
		harness.workflow = workflow;
		await feed.minutes(harness);
		const second = feed.arrive({});
		await feed.minutes(harness, 3);
		expect(scanIds(harness)).toEqual(first);

		harness.workflow = () => 'success';
		end('success');
		await feed.minutes(harness, 2);
		await harness.restart();
		await feed.minutes(harness, 2);
		expect(scanIds(harness)).toEqual([...first, ...second]);
	});
});
