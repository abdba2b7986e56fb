import { ConsoleBench } from '../support/consoleBench.cts';
import { runNode } from '../support/engine/runWorkflow.cts';
import { pages } from '../docs/pageLinks.cts';
import type { Receiver } from '../sandbox/receiver.cts';
import { openReceiver } from '../sandbox/receiver.cts';

/** Text for what takes JSON arrays of at most 1 MB, in the way that docs/audit-log.md shows. */

jest.setTimeout(30_000);

const MOST_BYTES = 1_000_000;

let bench: ConsoleBench;
let receiver: Receiver;

beforeEach(async () => {
	bench = await ConsoleBench.open();
	receiver = await openReceiver(204);
});

afterEach(async () => {
	receiver.close();
	await bench.close();
});

it('becomes arrays that hold every entry once', async () => {
	const page = pages().find(({ path }) => path === 'docs/audit-log.md')?.text ?? '';
	const [, maxTextSize, jsonBody] =
		/\*Max Text Size \(MB\)\* to ([\d.]+),.*`(\[\{\{.*\}\}\])`/.exec(page) ?? [];
	const ids = bench.append(6000);
	bench.sandbox.append([
		{
			entry: { createdAt: new Date(bench.clock.now()).toISOString(), note: 'two\nlines, "quoted"' },
		},
	]);
	bench.clock.advance(2000);
	const harness = await bench.trigger('default', {
		startFrom: 'oldest',
		output: 'text',
		options: { maxTextSize: Number(maxTextSize) },
	});
	await harness.activate();
	await bench.minutes(harness);
	const { error } = await runNode({
		node: {
			type: 'n8n-nodes-base.httpRequest',
			parameters: {
				method: 'POST',
				url: receiver.origin,
				sendBody: true,
				jsonBody: `=${jsonBody}`,
			},
		},
		items: harness.emittedItems(),
	});
	const arrays = receiver.received.map(
		({ body }) => JSON.parse(body) as Array<Record<string, unknown>>,
	);

	expect(error).toBeUndefined();
	expect(arrays.length).toBeGreaterThan(1);
	expect(
		arrays
			.flat()
			.slice(0, ids.length)
			.map(({ auditlogId }) => auditlogId),
	).toEqual(ids);
	expect(arrays.flat().at(-1)).toMatchObject({ note: 'two\nlines, "quoted"' });
	for (const { body } of receiver.received)
		expect(Buffer.byteLength(body)).toBeLessThan(MOST_BYTES);
});
