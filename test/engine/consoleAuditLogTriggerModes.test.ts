import { ConsoleBench, idsOf } from '../support/consoleBench.cts';
import type { PersistenceMode, PollHarness } from '../support/engine/pollHarness.cts';

/** The trigger where n8n's two ways to keep its position differ. */

// A busy machine is no reason to fail.
jest.setTimeout(30_000);

const MINUTE = 60_000;

let bench: ConsoleBench;

beforeEach(async () => (bench = await ConsoleBench.open()));

afterEach(async () => await bench.close());

describe('where the modes differ', () => {
	it('durable: a poll whose result n8n drops brings its entries again', async () => {
		const harness = await bench.trigger('durable', { startFrom: 'oldest' });
		await harness.activate();
		const ids = bench.append(20);
		bench.clock.advance(MINUTE);
		await harness.tick({ abandoned: true });
		const dropped = idsOf(harness);
		await bench.minutes(harness, 2);

		expect(dropped).toEqual([]);
		expect(idsOf(harness)).toEqual(ids);
	});

	it.each<PersistenceMode>(['default', 'durable'])(
		'%s: a node that is renamed goes on where it was',
		async (mode) => {
			const harness = await bench.trigger(mode, { startFrom: 'oldest' });
			const ids = bench.append(5);
			await harness.activate();
			await bench.minutes(harness);
			await harness.rename('Other name');
			await bench.minutes(harness, 2);
			ids.push(...bench.append(2));
			await bench.minutes(harness, 2);
			ids.push(...bench.append(2));
			await harness.renameWhileOff('Third name');
			await bench.minutes(harness, 2);

			expect(idsOf(harness)).toEqual(ids);
		},
	);

	it('default: a node that replaces another goes on where that one was', async () => {
		const harness = await bench.trigger('default', { startFrom: 'now' });
		await harness.activate();
		const ids: string[] = [];
		for (let replaced = 0; replaced < 3; replaced++) {
			ids.push(...bench.append(2));
			await bench.minutes(harness);
			await harness.replace();
		}

		expect(idsOf(harness)).toEqual(ids);
	});

	const deliverSome = async (harness: PollHarness) => {
		bench.append(2);
		await bench.minutes(harness, 2);
	};

	it.each<[string, (harness: PollHarness) => Promise<void>]>([
		[
			'started over',
			async (harness) => await harness.replace({ parameters: { options: { startOver: 'x' } } }),
		],
		[
			'was changed and changed back',
			async (harness) => {
				for (const idField of ['other', 'auditlogId', 'other']) {
					await harness.replace({ parameters: { options: { idField } } });
					await deliverSome(harness);
				}
			},
		],
		[
			'was renamed',
			async (harness) => {
				await harness.replace();
				await deliverSome(harness);
				await harness.rename('Other name');
			},
		],
		[
			'was moved to durable cursors',
			async (harness) => {
				await harness.replace();
				await deliverSome(harness);
				await harness.restart('durable');
			},
		],
		[
			'was pasted anew with durable cursors',
			async (harness) => {
				await harness.restart('durable');
				await harness.replace();
			},
		],
	])(
		'a new node under the name delivers nothing old again, where the one that replaced the old one %s',
		async (_, replace) => {
			const harness = await bench.trigger('default', { startFrom: 'now', options: {} });
			await harness.activate();
			await deliverSome(harness);
			await replace(harness);
			for (let day = 0; day < 3; day++) {
				bench.clock.advance(24 * 60 * MINUTE);
				await deliverSome(harness);
			}
			const delivered = idsOf(harness);
			await harness.replace({ name: 'Trigger under test', parameters: { options: {} } });
			await bench.minutes(harness, 2);

			expect(idsOf(harness)).toEqual(delivered);
		},
	);

	it.each([
		['loses that batch', 'handedOver', 0],
		['loses nothing once the workflow has to have finished', 'finished', 1],
	])(
		'default: killed between saving the position and starting the execution %s',
		async (_, moveOn, times) => {
			const harness = await bench.trigger('default', { startFrom: 'oldest', options: { moveOn } });
			await harness.activate();
			const batch = bench.append(10);
			bench.clock.advance(MINUTE);
			await harness.tick({ crash: 'stateSavedOnly' });
			await harness.restart();
			await bench.minutes(harness, 2);

			expect(idsOf(harness)).toEqual(Array.from({ length: times }, () => batch).flat());
		},
	);

	it('default: killed after starting the execution and before saving, brings that batch twice', async () => {
		const harness = await bench.trigger('default', { startFrom: 'oldest' });
		await harness.activate();
		const batch = bench.append(10);
		bench.clock.advance(MINUTE);
		await harness.tick({ crash: 'executionStartedOnly' });
		await harness.restart();
		await bench.minutes(harness, 2);

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
			await bench.minutes(harness);
			calls.push(bench.calls().length);
		}
		const perPoll = calls.map((total, poll) => total - (calls[poll - 1] ?? 0));

		expect(Math.max(...perPoll)).toBe(most);
		expect(idsOf(harness)).toEqual(ids);
	});
});
