import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { deliverNew } from '../../../../nodes/common/polling/deliverNew';
import { beginPoll } from '../../../../nodes/common/polling/pollHost';
import type { MoveOn } from '../../../../nodes/common/polling/moveOn';
import { consoleNode } from '../../../support/consoleNode.cts';
import { deferred } from '../../../support/deferred.cts';
import { FakeClock } from '../../../support/fakeClock.cts';

const EXECUTION_MS = 5000;
const clock = new FakeClock();
/** As n8n watches it. */
const watched = (data: { pollState?: object }) =>
	Object.defineProperty(data, '__dataChanged', { value: false });

const staticData = watched({});

/** An activation: n8n makes a context for it, and reads the trigger's static data anew. */
function activated(data: object = watched({ ...staticData })): IPollFunctions {
	return {
		getMode: () => 'trigger',
		getNode: () => ({ ...consoleNode, id: 'published meanwhile' }),
		getChildNodes: () => [{ name: 'End' }],
		getWorkflow: () => ({ id: 'workflow' }),
		getWorkflowStaticData: () => data,
		getWorkflowSettings: () => ({}),
		logger: { warn: () => undefined },
		helpers: { createDeferredPromise: deferred },
		__emit: (_items: unknown, _: unknown, done?: { resolve: (run: object) => void }) => {
			const run = { status: 'success', data: { resultData: { lastNodeExecuted: 'End' } } };
			void clock.sleep(EXECUTION_MS).then(() => done?.resolve(run));
		},
	} as unknown as IPollFunctions;
}

let returned: INodeExecutionData[][] | null = null;

/** @param isDropped Whether n8n drops what the poll returns: the trigger is disabled or published again. */
async function poll(
	context: IPollFunctions,
	readMs: number,
	{ moveOn = 'succeeded', isDropped = false }: { moveOn?: MoveOn; isDropped?: boolean } = {},
): Promise<{ took: number; items: number }> {
	const source = {
		scope: 'test',
		position: (stored: unknown) => stored as { page: number } | undefined,
		start: async () => ({ position: { page: 0 }, isNow: false }),
		read: async ({ page }: { page: number }) => {
			await clock.sleep(readMs);
			const items = [{ json: {} }];
			return { items, after: { page: page + 1 }, hasMore: false, isUnfinished: false };
		},
	};
	const begun = clock.now();
	const terms = { ...beginPoll(context, begun), deadline: begun + 30_000 };
	const settings = { ...terms, moveOn, clock, sizeOption: 'Max' };
	const result = await deliverNew(context, source, settings);
	if (result && !isDropped) context.__emit(result);
	if (isDropped) returned = result;
	return { took: clock.now() - begun, items: isDropped ? 0 : (result?.[0].length ?? 0) };
}

test('only the poll of an activation does not wait, also where that met one that was under way', async () => {
	const [first, second] = [activated(), activated()];
	const activation = poll(first, 100);
	await clock.run();
	expect((await activation).took).toBe(100);
	const underWay = poll(first, 100);
	expect((await poll(second, 100)).took).toBe(0);
	await clock.run();
	expect((await underWay).took).toBe(100 + EXECUTION_MS);
	const next = poll(second, 100);
	await clock.run();
	expect((await next).took).toBe(100 + EXECUTION_MS);
});

test('a batch that n8n drops, because the trigger is disabled or published again, is not stored as delivered', async () => {
	const [first, second] = [activated(staticData), activated()];
	const handedOver = { moveOn: 'handedOver' } as const;
	const begun = poll(first, 100, handedOver);
	await clock.run();
	expect((await begun).items).toBe(1);
	await clock.advance(60_000);
	const { pollState } = staticData;
	const underWay = poll(first, 100, { ...handedOver, isDropped: true });
	expect((await poll(second, 100, handedOver)).items).toBe(0);
	await clock.run();
	await underWay;
	expect(staticData.pollState).toEqual(pollState);
	await clock.advance(60_000);
	const next = poll(second, 100, handedOver);
	await clock.run();
	expect((await next).items).toBe(1);
});

test('a start that is none of an activation, as after a change of the address, is stored at once', async () => {
	const data: { pollState?: object } = {};
	const emitted: Array<object | undefined> = [];
	const context = {
		...activated(data),
		getMode: () => 'trigger',
		getNode: () => ({ ...consoleNode, id: 'starts over' }),
		getChildNodes: () => [],
		__emit: () => emitted.push(data.pollState),
	} as unknown as IPollFunctions;
	const startsIn = async (scope: string) => {
		const source = {
			scope,
			position: (stored: unknown) => {
				const position = stored as { scope: string };
				return position.scope === scope ? position : undefined;
			},
			start: async () => ({ position: { scope }, isNow: true }),
			read: async () => ({ items: [], after: { scope }, hasMore: false, isUnfinished: false }),
		};
		const settings = { ...beginPoll(context, clock.now()), clock, sizeOption: 'Max' };
		await deliverNew(context, source, { ...settings, moveOn: 'handedOver' });
	};
	await startsIn('one console');
	await startsIn('one console');
	expect(emitted).toEqual([]);
	await startsIn('other console');
	expect(emitted).toMatchObject([{ scope: 'other console' }]);
});

describe("with n8n's scheduler, without durable cursors", () => {
	const tick = (data: { pollState?: object }) =>
		({
			...activated(watched(data)),
			getMode: () => 'trigger',
			getNode: () => ({ ...consoleNode, id: 'scheduled' }),
			getChildNodes: () => [],
			getPollBudgetMs: () => 36_000,
		}) as unknown as IPollFunctions;

	let lastTick: IPollFunctions | undefined;

	/** n8n looks into its database before it emits what the poll returned. */
	async function polled(data: { pollState?: object }, isDropped: boolean): Promise<number> {
		const context = tick(data);
		lastTick = context;
		const underWay = poll(context, 100, { moveOn: 'handedOver', isDropped: true });
		await clock.run();
		await underWay;
		await clock.advance(20);
		if (!isDropped) context.__emit(returned!);
		await clock.advance(60_000);
		return (data.pollState as { page?: number } | undefined)?.page ?? 0;
	}

	test('a batch is stored as delivered when n8n takes it, however late, and not before', async () => {
		expect(await polled({}, false)).toBe(1);
		expect(await polled({}, true)).toBe(0);
		expect(await polled({}, false)).toBe(2);
	});

	test('a batch that n8n takes only after others does not lead back', async () => {
		const late = {};
		await polled(late, true);
		const [context, batch] = [lastTick!, returned!];
		const data = {};
		const page = await polled(data, false);
		expect(await polled(data, false)).toBe(page + 1);
		context.__emit(batch);
		expect(await polled({}, false)).toBe(page + 2);
	});
});

describe('a batch that was returned', () => {
	const pageOf = (data: object) => (data as { pollState?: { page?: number } }).pollState?.page;

	async function returnedTo(data: object, id: string): Promise<IPollFunctions> {
		const context = {
			...activated(data),
			getMode: () => 'trigger',
			getNode: () => ({ ...consoleNode, id }),
			getChildNodes: () => [],
		} as unknown as IPollFunctions;
		const underWay = poll(context, 100, { moveOn: 'handedOver', isDropped: true });
		await clock.run();
		await underWay;
		return context;
	}

	test('is stored at once where the static data is of no workflow', async () => {
		const data = {};
		await returnedTo(data, 'of no workflow');
		expect(pageOf(data)).toBe(1);
	});

	test('counts as taken where another poll follows with the same static data', async () => {
		const data = watched({});
		await returnedTo(data, 'taken elsewhere');
		expect(pageOf(data)).toBeUndefined();
		await returnedTo(data, 'taken elsewhere');
		expect(pageOf(data)).toBe(1);
	});

	test('is not stored when something else is emitted', async () => {
		const data = watched({});
		const context = await returnedTo(data, 'something else');
		const batch = returned!;
		context.__emit([[]]);
		expect(pageOf(data)).toBeUndefined();
		context.__emit(batch);
		expect(pageOf(data)).toBe(1);
	});
});
