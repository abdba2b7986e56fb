import type { IPollFunctions } from 'n8n-workflow';
import { deliverNew } from '../../../../nodes/common/polling/deliverNew';
import { consoleNode } from '../../../support/consoleNode.cts';
import { deferred } from '../../../support/deferred.cts';
import { FakeClock } from '../../../support/fakeClock.cts';

const EXECUTION_MS = 5000;
const clock = new FakeClock();
const staticData: { pollState?: object } = {};

/** An activation: n8n makes a context for it, and reads the trigger's static data anew. */
function activated(data: object = { ...staticData }): IPollFunctions {
	return {
		getNode: () => ({ ...consoleNode, id: 'published meanwhile' }),
		getWorkflow: () => ({ id: 'workflow' }),
		getWorkflowStaticData: () => data,
		getWorkflowSettings: () => ({}),
		logger: { warn: () => undefined },
		helpers: { createDeferredPromise: deferred },
		__emit: (_items: unknown, _: unknown, done: { resolve: (run: object) => void }) => {
			const run = { status: 'success', data: { resultData: { lastNodeExecuted: 'End' } } };
			void clock.sleep(EXECUTION_MS).then(() => done.resolve(run));
		},
	} as unknown as IPollFunctions;
}

async function poll(
	context: IPollFunctions,
	readMs: number,
	moveOn: 'succeeded' | 'handedOver' = 'succeeded',
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
	const deadline = clock.now() + 30_000;
	const begun = clock.now();
	const settings = { moveOn, deadline, clock, sizeOption: 'Max' };
	const result = await deliverNew(context, source, settings);
	return { took: clock.now() - begun, items: result?.[0].length ?? 0 };
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

test('a batch that n8n drops, because the trigger is published again, is not stored as delivered', async () => {
	const [first, second] = [activated(staticData), activated()];
	const begun = poll(first, 100, 'handedOver');
	await clock.run();
	expect((await begun).items).toBe(1);
	await clock.advance(60_000);
	const before = JSON.stringify(staticData.pollState);
	const underWay = poll(first, 100, 'handedOver');
	expect((await poll(second, 100, 'handedOver')).items).toBe(0);
	await clock.run();
	expect((await underWay).items).toBe(0);
	expect(JSON.stringify(staticData.pollState)).toBe(before);
	const next = poll(second, 100, 'handedOver');
	await clock.run();
	expect((await next).items).toBe(1);
});

test('beside another trigger, a batch is not left to n8n, which drops it if the trigger is disabled meanwhile', async () => {
	const emitted: unknown[] = [];
	const workflowData = {};
	const beside = (id: string) => {
		const own = {};
		return {
			...activated(),
			getNode: () => ({ ...consoleNode, id }),
			getWorkflow: () => ({ id: 'workflow of two' }),
			getWorkflowStaticData: (type: string) => (type === 'node' ? own : workflowData),
			__emit: (items: unknown) => emitted.push(items),
		} as unknown as IPollFunctions;
	};
	const delivered = async (context: IPollFunctions) => {
		const polled = poll(context, 100, 'handedOver');
		await clock.run();
		return (await polled).items;
	};
	const [one, other] = [beside('one'), beside('other')];
	expect(await delivered(one)).toBe(1);
	await clock.advance(60_000);
	expect(await delivered(one)).toBe(1);
	expect(await delivered(other)).toBe(1);
	await clock.advance(60_000);
	expect(emitted).toEqual([]);
	expect(await delivered(one)).toBe(0);
	expect(emitted).toHaveLength(1);
	await clock.advance(60_000);
	expect(await delivered(one)).toBe(0);
	expect(emitted).toHaveLength(2);
});
