import type { NodeExecutionHint } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';
import { executeItems } from '../../../../nodes/ContentScan/actions/executeItems';
import { FakeClock, noPauses } from '../../../support/fakeClock.cts';
import { fakeContext } from '../support/fakeContext';
import { FakeService, Refusal, node, scanService } from '../support/fakeService';
import { macrotask } from '../../../support/macrotask.cts';
import type { Sent } from '../support/fakeService';
import { runNode, scan } from '../support/runNode';

const urls =
	(options: object = {}) =>
	(itemIndex: number) =>
		scan('scanUrl', { url: `https://x.example/${itemIndex}`, waitForVerdict: false, options });

function urlOf({ call }: Sent): string {
	return call?.body?.type === 'form' ? call.body.fields.path : '';
}

/** Refuses every URL that ends in one of these digits. */
function refusing(...digits: string[]) {
	return (sent: Sent) =>
		digits.includes(urlOf(sent).slice(-1)) ? new Refusal(400) : { scan_id: urlOf(sent) };
}

describe('many items', () => {
	it('keep their order and pairing, whichever is answered first', async () => {
		const run = await runNode({ parameters: urls(), items: 30 }, async (sent) => {
			if (urlOf(sent).endsWith('/3')) await macrotask();
			return { scan_id: urlOf(sent) };
		});
		expect(run.items).toMatchObject(
			Array.from({ length: 30 }, (_, item) => ({
				json: { submittedId: `https://x.example/${item}` },
				pairedItem: { item },
			})),
		);
	});

	it.each([
		[undefined, 100],
		[{ concurrency: 3 }, 3],
		[{ concurrency: '4' }, 4],
	])('run side by side: with %j, %d', async (options, most) => {
		let now = 0;
		let highest = 0;
		await runNode({ parameters: urls(options), items: 150 }, async () => {
			highest = Math.max(highest, ++now);
			await macrotask();
			now--;
			return { scan_id: 1 };
		});
		expect(highest).toBe(most);
	});

	it.each([0, 1e6, 'many', null])('are not begun with %p parallel items', async (concurrency) => {
		const run = await runNode({ parameters: urls({ concurrency }) }, async () => ({ scan_id: 1 }));
		expect(run.error?.message).toContain(
			"'Parallel Items' must be a whole number from 1 to 100 [item 0]",
		);
	});

	it('of which some fail each keep their error and pairing', async () => {
		const run = await runNode(
			{ parameters: urls(), items: 100, onError: 'continueRegularOutput' },
			refusing('3', '7'),
		);
		expect(run.items).toHaveLength(100);
		run.items?.forEach(({ json, pairedItem }, item) => {
			expect(pairedItem).toStrictEqual({ item });
			const refused = item % 10 === 3 || item % 10 === 7;
			if (refused) expect(json).toMatchObject({ error: 'Could not scan the URL (400)' });
			else expect(json).toMatchObject({ scanId: `https://x.example/${item}` });
		});
	});

	it('leave nothing but error and message for n8n’s error output, since n8n before 2.34 would not take them for failed', async () => {
		const run = await runNode(
			{ parameters: urls(), items: 1, onError: 'continueErrorOutput' },
			refusing('0'),
		);
		expect(Object.keys(run.json[0])).toStrictEqual(['error', 'message']);
	});

	it('are none at all without input', async () => {
		expect((await runNode({ parameters: urls(), items: 0 }, refusing())).items).toStrictEqual([]);
	});
});

describe('an option whose expression fails for the first item', () => {
	/** Options of which n8n cannot work out one for the first item. */
	const options = (itemIndex: number, failing: string) => ({
		get [failing]() {
			if (itemIndex === 0) throw new Error('cannot convert to Luxon DateTime');
			return 60;
		},
	});

	it.each(['userAgentString', 'queueTimeout'])(
		'is an error of that item only: %s',
		async (name) => {
			const parameters = (item: number) =>
				scan('scanUrl', {
					url: `https://x.example/${item}`,
					waitForVerdict: false,
					options: options(item, name),
				});
			const run = await runNode(
				{ parameters, items: 3, onError: 'continueRegularOutput' },
				refusing(),
			);
			expect(run.json).toMatchObject([
				{ error: 'cannot convert to Luxon DateTime [item 0]' },
				{ scanId: 'https://x.example/1' },
				{ scanId: 'https://x.example/2' },
			]);
			expect(run.sent).toHaveLength(2);
		},
	);

	it('does not keep others from being found in the list', async () => {
		const parameters = (item: number) =>
			scan('get', { scanId: `F${item}`, options: options(item, 'queueTimeout') });
		const run = await runNode(
			{ parameters, items: 2, onError: 'continueRegularOutput' },
			({ call }) => (call?.pathValues ? new Refusal(404) : { results: [{ full_scan_id: 'F1' }] }),
		);
		expect(run.json).toMatchObject([
			{ error: 'cannot convert to Luxon DateTime [item 0]' },
			{ scanId: 'F1' },
		]);
	});
});

describe('the first item that fails', () => {
	it('ends the run, and no further call starts', async () => {
		const run = await runNode({ parameters: urls({ concurrency: 1 }), items: 50 }, refusing('3'));
		expect(run.error).toMatchObject({ name: 'NodeApiError', httpCode: '400' });
		expect(run.sent).toHaveLength(4);
	});

	it('names the scans that were submitted before', async () => {
		const run = await runNode({ parameters: urls({ concurrency: 1 }), items: 50 }, refusing('3'));
		expect(run.error?.description).toContain(
			'no verdict yet: https://x.example/0 (item 0), https://x.example/1 (item 1), https://x.example/2 (item 2).',
		);
	});

	it('leaves time for other work before each item that it reads and begins', async () => {
		const scans = scanService(new FakeService(refusing('3')));
		let pauses = 0;
		const pause = async () => void pauses++;
		const context = fakeContext({ parameters: urls({ concurrency: 1 }), items: 50 });
		const dependencies = { clock: new FakeClock(), connect: () => async () => scans };
		const run = executeItems(context, { ...dependencies, pauses: () => pause });
		await expect(run).rejects.toThrow('400');
		const [read, begun] = [50, 4];
		expect(pauses).toBe(read + begun);
	});

	it('lets what is on its way end, and names it too', async () => {
		const run = await runNode({ parameters: urls(), items: 9 }, async (sent) => {
			if (urlOf(sent).endsWith('/2')) return new Refusal(400);
			await macrotask();
			return { scan_id: urlOf(sent) };
		});
		expect(run.error).toMatchObject({ httpCode: '400' });
		for (const item of [0, 1, 3, 8]) expect(run.error?.description).toContain(`(item ${item})`);
	});

	it('names the items of which it is open whether they were submitted', async () => {
		const run = await runNode({ parameters: urls(), items: 3 }, async (sent) => {
			if (urlOf(sent).endsWith('/0')) return new Refusal(400);
			await macrotask();
			if (urlOf(sent).endsWith('/2')) return { scan_id: 'two' };
			const error = new NodeApiError(node, {}, { message: 'the connection broke' });
			error.context.unclear = true;
			throw error;
		});
		expect(run.error).toMatchObject({ httpCode: '400' });
		expect(run.error?.description).toContain(
			'not certain whether the call was carried out for item 1.',
		);
	});

	it.each([
		[{}, 'Already carried out, and not undone: item 0, item 1.'],
		[
			{ message: 'The email is not in quarantine' },
			'It is not certain whether the call was carried out for item 0, item 1.',
		],
	])('names no scans where none were submitted: %j', async (answer, words) => {
		const parameters = (index: number) => ({
			...{ resource: 'email', operation: 'release', scanId: `s${index}` },
			options: { concurrency: 1 },
		});
		const run = await runNode({ parameters, items: 3 }, (sent) =>
			sent.call?.pathValues?.scanId === 's2' ? new Refusal(400) : answer,
		);
		expect(run.error?.description).toContain(words);
		expect(run.error?.description?.match(/carried out/g)).toHaveLength(1);
	});

	it('says nothing of others when reading only', async () => {
		const run = await runNode(
			{ parameters: (index) => scan('get', { scanId: index === 1 ? '' : 'x' }), items: 2 },
			() => ({ id: 1 }),
		);
		expect(run.error?.description).not.toContain('carried out');
	});
});

describe('a call', () => {
	it('knows its item and has a deadline of an hour', async () => {
		const run = await runNode({ parameters: urls(), items: 2 }, refusing());
		expect(run.sent[1].context).toMatchObject({ itemIndex: 1, deadline: run.clock.now() + 3.6e6 });
	});

	it('waits as long as the user says', async () => {
		const run = await runNode({ parameters: urls({ queueTimeout: 5 }) }, refusing());
		expect(run.sent[0].context.deadline).toBe(run.clock.now() + 5000);
		const endless = await runNode({ parameters: urls({ queueTimeout: 0 }) }, refusing());
		expect(endless.sent[0].context.deadline).toBeUndefined();
	});
});

describe('calls that waited for their turn', () => {
	const delayed = async (calls: number) => {
		const service = new FakeService(() => ({ results: [] }));
		service.delays = { calls, longestMs: calls * 1400 };
		const hints: NodeExecutionHint[] = [];
		const scans = scanService(service, {}, 30);
		const connect = () => async () => scans;
		await executeItems(fakeContext({ parameters: scan('getAll'), hints }), {
			clock: new FakeClock(),
			connect,
			pauses: noPauses,
		});
		return hints.map(({ message }) => message);
	};

	it('are shown to the user', async () => {
		expect(await delayed(5)).toStrictEqual([
			'5 calls waited in the queue, the longest for 7 seconds. The credentials with this token allow 30 calls per minute; the service may allow fewer.',
		]);
	});

	it('are not mentioned when there were none', async () => {
		expect(await delayed(0)).toStrictEqual([]);
	});
});

describe('scans that the service counts, and does not list', () => {
	const hintsOf = async (count: number, parameters: object) => {
		const service = new FakeService(() => ({ results: [{ id: 1 }, { id: 2 }], count }));
		const hints: NodeExecutionHint[] = [];
		await executeItems(fakeContext({ parameters: scan('getAll', parameters), hints }), {
			clock: new FakeClock(),
			connect: () => async () => scanService(service),
			pauses: noPauses,
		});
		return hints.map(({ message }) => message);
	};

	it('are told of', async () => {
		const [hint] = await hintsOf(450, { returnAll: true });
		expect(hint).toContain('The service counts 448 scans more than its list has shown.');
	});

	it.each([
		[2, { returnAll: true }],
		[450, { returnAll: false, limit: 2 }],
	])('unless they were not asked for (%p of them, %j)', async (count, parameters) => {
		expect(await hintsOf(count, parameters)).toEqual([]);
	});
});

describe('an execution that is cancelled', () => {
	it('starts no further call and ends the waits', async () => {
		const cancel = new AbortController();
		const input = {
			parameters: (item: number) => ({ ...urls({ concurrency: 2 })(item), waitForVerdict: true }),
			items: 5,
			signal: cancel.signal,
			onError: 'continueRegularOutput' as const,
		};
		const run = await runNode(input, ({ call }) => {
			if (call?.method !== 'GET') return { scan_id: 8 };
			cancel.abort();
			return { results: [] };
		});
		expect(run.json).toHaveLength(5);
		expect(run.json[0]).toMatchObject({
			scanId: '8',
			error: expect.stringContaining('waited for'),
		});
		expect(run.sent.filter(({ call }) => call?.method === 'GET')).toHaveLength(1);
	});

	it('reports items that were not begun', async () => {
		const run = await runNode(
			{ parameters: urls(), items: 2, signal: AbortSignal.abort() },
			refusing(),
		);
		expect(run.error?.message).toContain('canceled');
		expect(run.sent).toHaveLength(0);
	});
});

describe('a credential that cannot be used', () => {
	const dependencies = {
		clock: new FakeClock(),
		connect: () => async () => await Promise.reject(new Error("The 'Base URL' is empty")),
		pauses: noPauses,
	};

	it('ends the run', async () => {
		const context = fakeContext({ parameters: urls(), items: 3 });
		await expect(executeItems(context, dependencies)).rejects.toThrow("The 'Base URL' is empty");
	});

	it('is the error of every item that is to go on', async () => {
		const input = { parameters: urls(), items: 3, onError: 'continueRegularOutput' as const };
		const items = await executeItems(fakeContext(input), dependencies);
		expect(items).toHaveLength(3);
		expect(items[2].json.error).toContain("The 'Base URL' is empty");
	});
});

it('an operation that does not exist is refused', async () => {
	const run = await runNode({ parameters: scan('toString') }, refusing());
	expect(run.error?.message).toContain("'toString' of the resource 'scan' does not exist");
});

it.each([
	['scan', 'get'],
	['email', 'release'],
])('an item of %s: %s that failed names the scan it asked for', async (resource, operation) => {
	const parameters = { ...scan(operation, { scanId: '123' }), resource };
	const input = { parameters, json: { verdict: 'clean' } };
	const refused = () => new Refusal(400);
	const regular = await runNode({ ...input, onError: 'continueRegularOutput' }, refused);
	expect(regular.json).toMatchObject([{ scanId: '123', verdict: null }]);
	const own = await runNode({ ...input, onError: 'continueErrorOutput' }, refused);
	expect(own.json).toMatchObject([{ message: { scanId: '123' } }]);
});
