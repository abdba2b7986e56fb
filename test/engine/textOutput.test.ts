import { ConsoleBench } from '../support/consoleBench.cts';

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

it('Get Many names the field of a template that says nothing of the entry', async () => {
	const run = await bench.run('getAll', { output: 'text', lineTemplate: 'a line' });

	expect(run.error?.message).toContain("'Line Template' has no placeholder");
	expect(bench.calls()).toEqual([]);
});
