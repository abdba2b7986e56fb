import type { MoveOn } from '../../nodes/common/polling/moveOn';
import { ConsoleBench } from '../support/consoleBench.cts';
import type { Ending } from '../support/engine/pollHarness.cts';
import { activeTrigger } from '../support/moveOn.cts';

/** Entries as lines of text, from both console nodes in n8n's engine. */

// A busy machine is no reason to fail.
jest.setTimeout(30_000);

const MINUTE = 60_000;
const asLines = (entries: unknown[]) =>
	entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');

let bench: ConsoleBench;

beforeEach(async () => (bench = await ConsoleBench.open()));

afterEach(async () => await bench.close());

async function asItems(): Promise<unknown[]> {
	const run = await bench.run('getAll', { returnAll: true, order: 'oldestFirst' });
	return (run.outputs[0] ?? []).map(({ json }) => json);
}

it.each(['default', 'durable'] as const)(
	'the trigger delivers a backlog as text, byte for byte and in order (%s mode)',
	async (mode) => {
		bench.append(250);
		bench.clock.advance(2000);
		const harness = await bench.trigger(mode, {
			startFrom: 'oldest',
			output: 'text',
			options: { maxEntriesPerPoll: 100, maxTextSize: 0.01 },
		});
		await harness.activate();
		for (let poll = 0; poll < 4; poll++) {
			bench.clock.advance(MINUTE);
			await harness.tick();
		}
		const items = harness.executions.flatMap(({ items }) => items);
		const entries = await asItems();

		expect(items.map(({ text }) => text).join('')).toBe(asLines(entries));
		expect(items.map(({ count }) => Number(count)).reduce((sum, count) => sum + count)).toBe(250);
		expect(items.length).toBeGreaterThan(harness.executions.length);
		expect(items.every(({ text }) => String(text).length <= 10_000)).toBe(true);
		expect(harness.errors).toEqual([]);
	},
);

describe.each(['default', 'durable'] as const)(
	'several items of text in one poll (%s mode)',
	(mode) => {
		/** Ten entries of some 300 bytes make several items. */
		const trigger = async (moveOn: MoveOn) =>
			await activeTrigger(bench, mode, moveOn, { maxTextSize: 0.001 }, 'text');

		it('go out in one execution', async () => {
			const harness = await trigger('handedOver');
			for (const entries of [10, 20]) {
				bench.append(entries);
				const before = harness.executions.length;
				await bench.minutes(harness);
				const [execution, ...more] = harness.executions.slice(before);

				expect(more).toEqual([]);
				expect(execution.items.length).toBeGreaterThan(2);
			}
			await bench.minutes(harness, 2);
			expect(harness.executions).toHaveLength(2);
			const text = harness.emittedItems().map((item) => item.text);
			expect(text.join('')).toBe(asLines(await asItems()));
		});

		const table: Array<[MoveOn, Ending, boolean]> = [
			['finished', 'success', true],
			['finished', 'error', true],
			['finished', 'deadWorker', false],
			['succeeded', 'success', true],
			['succeeded', 'error', false],
		];

		it.each(table)(
			'%s: with an execution that ends as %s they are delivered: %s',
			async (...row) => {
				const [moveOn, ending, isDelivered] = row;
				const harness = await trigger(moveOn);
				bench.append(10);
				const first = asLines(await asItems());
				harness.workflow = () => ending;
				await bench.minutes(harness);
				harness.workflow = () => 'success';
				bench.append(10);
				const all = asLines(await asItems());
				await bench.minutes(harness, 2);
				await harness.restart();
				await bench.minutes(harness, 2);

				const texts = harness.executions
					.filter(({ items }) => items.length > 0)
					.map(({ items }) => items.map(({ text }) => text).join(''));
				const second = all.slice(first.length);
				expect(texts).toEqual(isDelivered ? [first, second] : [first, first, second]);
				expect(harness.errors).toEqual([]);
			},
		);
	},
);

it('Get Many gives the same text, linked to its item', async () => {
	bench.append(120);
	bench.clock.advance(2000);
	const run = await bench.run('getAll', { returnAll: true, order: 'oldestFirst', output: 'text' });
	const entries = await asItems();

	expect(run.outputs[0]).toEqual([
		{
			json: {
				text: asLines(entries),
				count: 120,
				from: (entries[0] as { createdAt: string }).createdAt,
				to: (entries[119] as { createdAt: string }).createdAt,
			},
			pairedItem: { item: 0 },
		},
	]);
});

it('both nodes refuse an expression in the template, where n8n works none out', async () => {
	const lineTemplate = '={{ 6 * 7 }} {entry}';
	const refused = 'In \'Line Template\', "{{ 6 * 7 }}" is not a placeholder';
	const harness = await bench.trigger('default', { output: 'text', lineTemplate });
	await expect(harness.activate()).rejects.toThrow(refused);
	const run = await bench.run('getAll', { output: 'text', lineTemplate });
	expect(run.error?.message).toContain(refused);
	expect(bench.calls()).toEqual([]);
});

it('Get Many names the field of a template that says nothing of the entry', async () => {
	const run = await bench.run('getAll', { output: 'text', lineTemplate: 'a line' });

	expect(run.error?.message).toContain("'Line Template' has no placeholder");
	expect(bench.calls()).toEqual([]);
});
