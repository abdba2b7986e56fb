import type { IPollFunctions, IRun } from 'n8n-workflow';
import { deliverNew } from '../../../../nodes/common/polling/deliverNew';
import { beginPoll } from '../../../../nodes/common/polling/pollHost';
import { consoleNode } from '../../../support/consoleNode.cts';
import { deferred } from '../../../support/deferred.cts';
import { FakeClock } from '../../../support/fakeClock.cts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** A trigger with one batch, in a workflow with a timeout of a minute. It polls every few minutes. */
function trigger(id: string) {
	const clock = new FakeClock();
	const emittedAt: number[] = [];
	const ends: Array<(status: 'success' | 'error') => void> = [];
	const staticData = Object.defineProperty({}, '__dataChanged', { value: false });
	const context = {
		getMode: () => 'trigger',
		getNode: () => ({ ...consoleNode, id }),
		getChildNodes: () => [{ name: 'End' }],
		getWorkflow: () => ({ id: 'workflow' }),
		getWorkflowStaticData: () => staticData,
		getWorkflowSettings: () => ({ executionTimeout: 60 }),
		logger: { warn: () => undefined },
		helpers: { createDeferredPromise: deferred },
		__emit: (...[[items], , done]: Parameters<IPollFunctions['__emit']>) => {
			if (items.length === 0) return;
			emittedAt.push(Math.round((clock.monotonic() - began) / MINUTE));
			const data = { resultData: { lastNodeExecuted: 'End' } };
			ends.push((status) => done?.resolve({ status, data } as unknown as IRun));
		},
	} as unknown as IPollFunctions;
	const source = {
		scope: 'test',
		position: (stored: unknown) => stored as { read: number } | undefined,
		start: async () => ({ position: { read: 0 }, isNow: false }),
		read: async ({ read }: { read: number }) => ({
			items: read < 1 ? [{ json: {} }] : [],
			after: { read: 1 },
			hasMore: false,
			isUnfinished: false,
		}),
	};
	const began = clock.monotonic();
	const pollFor = async (ms: number) => {
		const until = clock.monotonic() + ms;
		while (clock.monotonic() < until) {
			const terms = beginPoll(context, clock.now());
			const settings = { ...terms, moveOn: 'succeeded', clock, sizeOption: 'Max' } as const;
			const polled = deliverNew(context, source, settings).catch(() => null);
			await clock.advance(5 * MINUTE);
			await polled;
		}
	};
	return { emittedAt, ends, pollFor };
}

it('a batch whose executions wait in a queue comes again ever more rarely, so that few of it run in the end', async () => {
	const { emittedAt, ends, pollFor } = trigger('queued');
	await pollFor(24 * HOUR);
	expect(emittedAt).toEqual([0, 15, 40, 90, 180, 350, 685, 1350]);
	ends.at(-1)!('success');
	await pollFor(24 * HOUR);
	expect(emittedAt).toHaveLength(8);
});

it('the executions of which n8n told that they failed make that time no longer', async () => {
	const { emittedAt, ends, pollFor } = trigger('failing');
	while (ends.length < 6) {
		await pollFor(5 * MINUTE);
		ends.at(-1)!('error');
	}
	// After 11 minutes, then 21, each with the pause of a batch that fails.
	await pollFor(2 * HOUR);
	expect(emittedAt).toEqual([0, 10, 20, 35, 50, 65, 85, 120, 180]);
});
