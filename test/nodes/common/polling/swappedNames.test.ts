import type { IPollFunctions } from 'n8n-workflow';
import { deliverNew } from '../../../../nodes/common/polling/deliverNew';
import { beginPoll } from '../../../../nodes/common/polling/pollHost';
import { deferred } from '../../../support/deferred.cts';
import { FakeClock } from '../../../support/fakeClock.cts';
import { consoleNode } from '../../../support/consoleNode.cts';

const clock = new FakeClock();

/** A trigger that only "End" follows, in a workflow where another may have its name when a batch starts. */
function trigger(id: string, endsAt: string) {
	const data = Object.defineProperty({}, '__dataChanged', { value: true, writable: true });
	const read: number[] = [];
	const context = (name: string) =>
		({
			getMode: () => 'trigger',
			getNode: () => ({ ...consoleNode, id, name }),
			getChildNodes: () => [{ name: 'End' }],
			getWorkflow: () => ({ id: 'swapped names' }),
			getWorkflowStaticData: () => data,
			getWorkflowSettings: () => ({}),
			logger: { warn: () => undefined },
			helpers: { createDeferredPromise: deferred },
			__emit: (_items: unknown, _: unknown, done?: { resolve: (run: object) => void }) =>
				done?.resolve({
					status: 'success',
					data: { resultData: { runData: {}, lastNodeExecuted: endsAt } },
				}),
		}) as unknown as IPollFunctions;
	/** One poll under a name, which finds one entry. */
	const poll = async (name: string) => {
		const terms = { ...beginPoll(context(name), clock.now()), deadline: clock.now() + 30_000 };
		const source = {
			scope: 'test',
			position: (stored: unknown) => stored as { page: number } | undefined,
			start: async () => ({ position: { page: 0 }, isNow: false }),
			read: async ({ page }: { page: number }) => {
				read.push(page);
				const after = { page: page + 1 };
				return { items: [{ json: {} }], after, hasMore: false, isUnfinished: false };
			},
		};
		const settings = { ...terms, isActivation: false, moveOn: 'finished' as const };
		await deliverNew(context(name), source, { ...settings, clock, sizeOption: 'Max' });
	};
	return { poll, read };
}

test.each([
	['ran the nodes of the one that has its name now', 'Other End', [0, 0]],
	['ran its own nodes', 'End', [0, 1]],
])(
	'a batch that ended right before the first poll under a swapped name, and %s',
	async (_, endsAt, pages) => {
		const [one, other] = [
			trigger(`one ${endsAt}`, endsAt),
			trigger(`other ${endsAt}`, 'Other End'),
		];
		const underWay = one.poll('Name');
		await clock.advance(100);
		const swapped = other.poll('Name');
		await clock.run();
		await Promise.all([underWay, swapped]);
		const next = one.poll('New Name');
		await clock.run();
		await next;
		expect(one.read).toEqual(pages);
	},
);
