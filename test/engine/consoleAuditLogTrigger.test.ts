import { ConsoleBench, idsOf } from '../support/consoleBench.cts';
import type { PersistenceMode } from '../support/engine/pollHarness.cts';

/** The trigger in n8n's poll executor, in both of n8n's ways to keep its position, on a real console. */

// A busy machine is no reason to fail.
jest.setTimeout(30_000);

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

let bench: ConsoleBench;

beforeEach(async () => (bench = await ConsoleBench.open()));

afterEach(async () => await bench.close());

describe.each<PersistenceMode>(['default', 'durable'])('in %s mode', (mode) => {
	describe('starting now', () => {
		it.each([0, 5 * MINUTE, -5 * MINUTE])(
			'hands over what appears from the activation on, with a clock that is %i ms off',
			async (skew) => {
				const clock = { now: () => bench.clock.now() + skew };
				bench.append(30);
				bench.clock.advance(2000);
				const harness = await bench.trigger(mode, {}, { clock });
				await harness.activate();
				bench.clock.advance(2000);
				const soon = bench.append(1);
				await bench.minutes(harness);
				const later = bench.append(3);
				await bench.minutes(harness, 2);

				expect(idsOf(harness)).toEqual([...soon, ...later]);
				expect(harness.errors).toEqual([]);
			},
		);

		it('loses nothing when n8n is killed before the first tick', async () => {
			bench.append(30);
			bench.clock.advance(2000);
			const harness = await bench.trigger(mode);
			await harness.activate();
			bench.clock.advance(2000);
			const soon = bench.append(2);
			bench.clock.advance(10 * MINUTE);
			await harness.restart();
			const later = bench.append(1);
			await bench.minutes(harness, 2);

			expect(idsOf(harness)).toEqual([...soon, ...later]);
		});

		it('is silent while nothing happens, at one request a poll', async () => {
			bench.append(20);
			bench.clock.advance(DAY);
			const harness = await bench.trigger(mode);
			await harness.activate();
			const before = bench.calls().length;
			await bench.minutes(harness, 5);

			expect(harness.executions).toEqual([]);
			expect(bench.calls()).toHaveLength(before + 5);
		});
	});

	describe('reading a backlog from the oldest entry on', () => {
		it.each(['null', 'absent', 'token'] as const)(
			'brings all of it in order over several polls and a restart, end of log %s',
			async (endOfLog) => {
				bench.sandbox.configure({ console: { endOfLog } });
				const ids = bench.append(900);
				const options = { maxEntriesPerPoll: 300 };
				const harness = await bench.trigger(mode, { startFrom: 'oldest', options });
				await harness.activate();
				await bench.minutes(harness);
				await harness.restart();
				await bench.minutes(harness, 4);

				expect(idsOf(harness)).toEqual(ids);
				for (const { items } of harness.executions) expect(items.length).toBeLessThanOrEqual(300);
				expect(harness.errors).toEqual([]);
			},
		);

		it('repeats since and limit with every page token, and sends none that is null', async () => {
			const ids = bench.append(450);
			const options = { pageSize: 100, maxEntriesPerPoll: 200 };
			const harness = await bench.trigger(mode, { startFrom: 'oldest', options });
			await harness.activate();
			await bench.minutes(harness, 4);

			expect(idsOf(harness)).toEqual(ids);
			expect(new Set(bench.calls().map((query) => query.get('limit')))).toEqual(new Set(['100']));
			for (const query of bench.calls()) {
				expect(query.get('pageToken')).not.toBe('');
				expect(query.get('pageToken')).not.toBe('null');
			}
			const refused = bench.sandbox.journal.entries().filter(({ status }) => status !== 200);
			expect(refused).toEqual([]);
		});

		it('goes on when the console forgets its page tokens between the polls', async () => {
			const ids = bench.append(700);
			const options = { pageSize: 50, maxEntriesPerPoll: 200 };
			const harness = await bench.trigger(mode, { startFrom: 'oldest', options });
			await harness.activate();
			for (let poll = 0; poll < 6; poll++) {
				bench.sandbox.refusePageTokens();
				await bench.minutes(harness);
			}

			expect(idsOf(harness)).toEqual(ids);
			expect(harness.errors).toEqual([]);
		});

		it('begins at a date', async () => {
			const ids = bench.append(100);
			const startDate = new Date(bench.clock.now() - 40_000).toISOString();
			const harness = await bench.trigger(mode, { startFrom: 'date', startDate });
			await harness.activate();
			await bench.minutes(harness, 2);

			expect(idsOf(harness)).toEqual(ids.slice(59));
		});
	});

	describe('entries without the expected fields', () => {
		it.each([
			['no id', { idField: null }, {}],
			['no time', { timestampField: null }, {}],
			['neither', { idField: null, timestampField: null }, {}],
			['an id of another name', { idField: 'uuid' }, { idField: 'uuid' }],
			['a time of another name', { timestampField: 'at' }, { timestampField: 'at' }],
		])('come once each: %s', async (_, settings, options) => {
			bench.sandbox.configure({ console: settings });
			const harness = await bench.trigger(mode, { startFrom: 'oldest', options });
			await harness.activate();
			bench.append(130);
			await bench.minutes(harness);
			bench.append(20);
			await bench.minutes(harness, 3);

			const items = harness.emittedItems().map((item) => JSON.stringify(item));
			expect(items).toHaveLength(150);
			expect(new Set(items).size).toBe(150);
		});
	});

	describe('Fetch Test Event', () => {
		it('shows the ten newest entries in at most 50 requests, and changes nothing', async () => {
			const ids = bench.append(600);
			const harness = await bench.trigger(mode);
			await harness.activate();
			const state = harness.persistedState();
			const before = bench.calls().length;
			const { items } = await harness.manual();

			expect(items?.map(({ auditlogId }) => auditlogId)).toEqual(ids.slice(-10).reverse());
			expect(bench.calls().length - before).toBeLessThanOrEqual(50);
			expect(harness.persistedState()).toEqual(state);
		});
	});
});

it('gives an entry the event key that the action node gives it, in a test too', async () => {
	bench.append(2);
	const options = { includeEventKey: true };
	const entries = async (operation: string, parameters: Record<string, unknown>) =>
		(await bench.run(operation, { ...parameters, options })).outputs[0]?.map(({ json }) => json);
	const many = (await entries('getAll', { order: 'oldestFirst' })) ?? [];
	const [{ auditlogId, eventKey }] = many;
	expect(eventKey).toMatch(/^[0-9a-f]{32}$/);
	expect(await entries('get', { auditlogId })).toEqual([many[0]]);

	const harness = await bench.trigger('default', { startFrom: 'oldest', options });
	expect((await harness.manual()).items).toEqual([...many].reverse());
	await harness.activate();
	expect(harness.emittedItems()).toEqual(many);
});
