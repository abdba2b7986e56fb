import { sandboxSecretMarker } from '../../sandbox/fixtures/accounts.cts';
import { ConsoleBench, idsOf } from '../support/consoleBench.cts';
import type { PollHarness, PersistenceMode } from '../support/engine/pollHarness.cts';

/** The trigger in n8n's poll executor, in both of n8n's ways to keep its position, on a real console. */

// A busy machine is no reason to fail.
jest.setTimeout(30_000);

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

let bench: ConsoleBench;

beforeEach(async () => (bench = await ConsoleBench.open()));

afterEach(async () => await bench.close());

async function minuteLater(harness: PollHarness, options?: Parameters<PollHarness['tick']>[0]) {
	bench.clock.advance(MINUTE);
	await harness.tick(options);
}

async function ticks(harness: PollHarness, count: number): Promise<void> {
	for (let tick = 0; tick < count; tick++) await minuteLater(harness);
}

const modes: PersistenceMode[] = ['default', 'durable'];

describe.each(modes)('in %s mode', (mode) => {
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
				await ticks(harness, 1);
				const later = bench.append(3);
				await ticks(harness, 2);

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
			await ticks(harness, 2);

			expect(idsOf(harness)).toEqual([...soon, ...later]);
		});

		it('is silent while nothing happens, at one request a poll', async () => {
			bench.append(20);
			bench.clock.advance(DAY);
			const harness = await bench.trigger(mode);
			await harness.activate();
			const before = bench.calls().length;
			await ticks(harness, 5);

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
				await ticks(harness, 1);
				await harness.restart();
				await ticks(harness, 4);

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
			await ticks(harness, 4);

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
				await ticks(harness, 1);
			}

			expect(idsOf(harness)).toEqual(ids);
			expect(harness.errors).toEqual([]);
		});

		it('begins at a date', async () => {
			const ids = bench.append(100);
			const startDate = new Date(bench.clock.now() - 40_000).toISOString();
			const harness = await bench.trigger(mode, { startFrom: 'date', startDate });
			await harness.activate();
			await ticks(harness, 2);

			expect(idsOf(harness)).toEqual(ids.slice(59));
		});
	});

	describe('when a call fails', () => {
		it('hands over the pages before it, says so in the log, and the rest comes next', async () => {
			const ids = bench.append(300);
			const options = { pageSize: 100 };
			const harness = await bench.trigger(mode, { startFrom: 'oldest', options });
			bench.sandbox.faults.add({ service: 'console', nth: 3, times: 2, status: 403 });
			await harness.activate();
			const first = idsOf(harness);
			const warnings = harness.log.entries.filter(({ message }) => message.includes('403'));
			await ticks(harness, 1);

			expect(first).toEqual(ids.slice(0, 200));
			expect(warnings).toHaveLength(1);
			expect(idsOf(harness)).toEqual(ids);
			expect(harness.errors).toEqual([]);
		});

		it.each([
			[{ status: 401 }, { cause: 'credential-invalid' }],
			[
				{ status: 429, retryAfter: { seconds: 600 } },
				// The time until then, so a little less than was asked for.
				{ cause: 'rate-limited', retryAfterMs: expect.closeTo(600_000, -4) as number },
			],
			[{ status: 500 }, { cause: 'temporarily-unavailable' }],
		])('fails as n8n wants it once there is nothing to hand over: %j', async (fault, failure) => {
			bench.append(5);
			const harness = await bench.trigger(mode, { startFrom: 'oldest' });
			await harness.activate();
			bench.sandbox.faults.add({ service: 'console', times: null, ...fault });
			await ticks(harness, 1);

			expect(harness.errors).toHaveLength(1);
			expect(harness.errors[0].failure).toMatchObject(failure);
			expect(harness.errors[0].everything()).not.toContain(sandboxSecretMarker);
		});

		it('loses nothing over it', async () => {
			const before = bench.append(5);
			const harness = await bench.trigger(mode, { startFrom: 'oldest' });
			await harness.activate();
			bench.sandbox.faults.add({ service: 'console', times: 3, status: 401 });
			const during = bench.append(5);
			await ticks(harness, 5);

			expect(idsOf(harness)).toEqual([...before, ...during]);
		});
	});

	describe('whatever n8n does', () => {
		it('hands each entry over once when polls overlap', async () => {
			const harness = await bench.trigger(mode, { startFrom: 'oldest' });
			await harness.activate();
			const ids = bench.append(250);
			await harness.overlappingTicks(4);
			await ticks(harness, 2);

			expect(idsOf(harness)).toEqual(ids);
		});

		it('loses nothing and doubles nothing when it is killed before it has saved', async () => {
			const harness = await bench.trigger(mode, { startFrom: 'oldest' });
			await harness.activate();
			const first = bench.append(10);
			await ticks(harness, 1);
			const second = bench.append(10);
			await minuteLater(harness, { crash: 'beforeSaving' });
			await harness.restart();
			const third = bench.append(10);
			await ticks(harness, 2);

			expect(idsOf(harness)).toEqual([...first, ...second, ...third]);
		});

		it('loses nothing when it goes back to an older position', async () => {
			const harness = await bench.trigger(mode, { startFrom: 'oldest' });
			const first = bench.append(3);
			await harness.activate();
			const saved = harness.snapshot();
			const second = bench.append(3);
			await ticks(harness, 1);
			harness.rewind(saved);
			await harness.restart();
			const third = bench.append(3);
			await ticks(harness, 1);

			expect([...new Set(idsOf(harness))]).toEqual([...first, ...second, ...third]);
			expect(idsOf(harness).filter((id) => first.includes(id))).toEqual(first);
		});

		it('keeps its place when the credential is rotated', async () => {
			const harness = await bench.trigger(mode, { startFrom: 'oldest' });
			const ids = bench.append(4);
			await harness.activate();
			const headers = { 'X-Other': `${sandboxSecretMarker}-rotated` };
			bench.sandbox.configure({ console: { headers } });
			const values = Object.entries(headers).map(([name, value]) => ({ name, value }));
			const rotated = { ...bench.credential, headers: { values } };
			await harness.replaceCredential('browserConsoleHeadersApi', rotated);
			ids.push(...bench.append(2));
			await ticks(harness, 2);

			expect(idsOf(harness)).toEqual(ids);
		});

		it('starts over, and says so, when another field is the id', async () => {
			const harness = await bench.trigger(mode, { startFrom: 'now' });
			await harness.activate();
			bench.append(5);
			await ticks(harness, 1);
			const before = idsOf(harness).length;
			await harness.update({ parameters: { options: { idField: 'other' } } });
			const after = bench.append(2);
			await ticks(harness, 2);

			expect(idsOf(harness).slice(before)).toEqual(after);
			const said = harness.log.entries.filter(({ message }) => message.includes('begins again'));
			expect(said.length).toBeGreaterThan(0);
		});

		it('goes not back to its first start when a field is changed and changed back', async () => {
			const harness = await bench.trigger(mode);
			await harness.activate();
			await harness.update({ parameters: { startFrom: 'oldest', options: { idField: 'other' } } });
			bench.append(5);
			await ticks(harness, 2);
			await harness.restart();
			const before = idsOf(harness).length;
			await harness.update({ parameters: { startFrom: 'now', options: {} } });
			bench.clock.advance(2000);
			const after = bench.append(2);
			await ticks(harness, 2);

			expect(idsOf(harness).slice(before)).toEqual(after);
		});

		it('goes on after more than 365 days, and says once what is gone', async () => {
			const harness = await bench.trigger(mode, { startFrom: 'oldest' });
			bench.append(5);
			await harness.activate();
			bench.clock.advance(370 * DAY);
			const ids = bench.append(3);
			await ticks(harness, 3);

			expect(idsOf(harness).slice(5)).toEqual(ids);
			expect(harness.errors).toEqual([]);
			const said = harness.log.entries.filter(({ message }) => message.includes('365 days'));
			expect(said).toHaveLength(1);
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
			await ticks(harness, 1);
			bench.append(20);
			await ticks(harness, 3);

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

			expect(items?.map(({ auditlogId }) => auditlogId)).toEqual(ids.slice(-10));
			expect(bench.calls().length - before).toBeLessThanOrEqual(50);
			expect(harness.persistedState()).toEqual(state);
		});
	});
});

describe('where the modes differ', () => {
	it('durable: a poll whose result n8n drops brings its entries again', async () => {
		const harness = await bench.trigger('durable', { startFrom: 'oldest' });
		await harness.activate();
		const ids = bench.append(20);
		await minuteLater(harness, { abandoned: true });
		const dropped = idsOf(harness);
		await ticks(harness, 2);

		expect(dropped).toEqual([]);
		expect(idsOf(harness)).toEqual(ids);
	});

	it.each(modes)('%s: a node that is renamed goes on where it was', async (mode) => {
		const harness = await bench.trigger(mode, { startFrom: 'oldest' });
		const ids = bench.append(5);
		await harness.activate();
		await ticks(harness, 1);
		await harness.rename('Other name');
		await ticks(harness, 2);

		expect(idsOf(harness)).toEqual(ids);
	});

	it.each([
		['loses that batch', 'handedOver', 0],
		['loses nothing once the workflow has to have finished', 'finished', 1],
	])(
		'default: killed between saving the position and starting the execution %s',
		async (_, moveOn, times) => {
			const harness = await bench.trigger('default', { startFrom: 'oldest', options: { moveOn } });
			await harness.activate();
			const batch = bench.append(10);
			await minuteLater(harness, { crash: 'stateSavedOnly' });
			await harness.restart();
			await ticks(harness, 2);

			expect(idsOf(harness)).toEqual(Array.from({ length: times }, () => batch).flat());
		},
	);

	it('default: killed after starting the execution and before saving, brings that batch twice', async () => {
		const harness = await bench.trigger('default', { startFrom: 'oldest' });
		await harness.activate();
		const batch = bench.append(10);
		await minuteLater(harness, { crash: 'executionStartedOnly' });
		await harness.restart();
		await ticks(harness, 2);

		expect(idsOf(harness)).toEqual([...batch, ...batch]);
	});

	// Each call takes a second here, nearly, and 85 % of the budget is for calls.
	it.each([
		[3000, 3],
		['absent' as const, 31],
	])('a poll ends within its budget (%s): at most %i calls', async (pollBudgetMs, most) => {
		const clock = { now: () => bench.clock.now() + bench.sandbox.journal.total * 990 };
		const ids = bench.append(500);
		const parameters = { startFrom: 'oldest', options: { pageSize: 10 } };
		const harness = await bench.trigger('default', parameters, { pollBudgetMs, clock });
		await harness.activate();
		const calls = [bench.calls().length];
		while (idsOf(harness).length < ids.length && calls.length < 30) {
			await ticks(harness, 1);
			calls.push(bench.calls().length);
		}
		const perPoll = calls.map((total, poll) => total - (calls[poll - 1] ?? 0));

		expect(Math.max(...perPoll)).toBe(most);
		expect(idsOf(harness)).toEqual(ids);
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
	expect((await harness.manual()).items).toEqual(many);
	await harness.activate();
	expect(harness.emittedItems()).toEqual(many);
});
