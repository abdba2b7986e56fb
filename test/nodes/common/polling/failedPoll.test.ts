import type { IPollFunctions } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';
import { deliverNew } from '../../../../nodes/common/polling/deliverNew';
import { beginPoll } from '../../../../nodes/common/polling/pollHost';
import { consoleNode } from '../../../support/consoleNode.cts';
import { FakeClock } from '../../../support/fakeClock.cts';

/** Polls of a source that reads a page each time, finds nothing new in it, and then fails. */
function failing(readsSomething: boolean) {
	const clock = new FakeClock();
	const staticData = {};
	const activated = () => ({
		getNode: () => ({ ...consoleNode, id: `reads ${readsSomething}` }),
		getChildNodes: () => [],
		getWorkflow: () => ({ id: 'workflow' }),
		getMode: () => 'trigger',
		getActivationMode: () => 'trigger',
		getWorkflowStaticData: () => staticData,
		getWorkflowSettings: () => ({}),
		logger: { warn: () => undefined },
	});
	let context = activated() as unknown as IPollFunctions;
	const restart = () => (context = activated() as unknown as IPollFunctions);
	const read: number[] = [];
	const service = { isDown: true };
	const failure = new NodeApiError(consoleNode, {}, { message: 'refused' });
	const source = {
		scope: 'test',
		position: (stored: unknown) => stored as { page: number } | undefined,
		start: async () => ({ position: { page: 0 }, isNow: false }),
		read: async ({ page }: { page: number }) => {
			read.push(page);
			const after = { page: readsSomething ? page + 1 : page };
			const problem = service.isDown ? failure : undefined;
			return { items: [], after, hasMore: false, failure: problem, isUnfinished: !readsSomething };
		},
	};
	const poll = async () =>
		await deliverNew(context, source, {
			moveOn: 'handedOver',
			...beginPoll(context, clock.now()),
			clock,
			sizeOption: 'Max',
		});
	return { poll, read, service, restart };
}

it.each([
	[true, [0, 1, 2]],
	[false, [0, 0, 0]],
])(
	'a poll that fails after it has read something (%s) goes on from there',
	async (reads, pages) => {
		const { poll, read } = failing(reads);
		for (let polls = 0; polls < 3; polls++) await expect(poll()).rejects.toThrow('refused');
		expect(read).toEqual(pages);
	},
);

it('starts with n8n though its service is down, if it has a position, and fails from the next poll on', async () => {
	const { poll, service, restart } = failing(true);
	service.isDown = false;
	await poll();
	service.isDown = true;
	restart();
	expect(await poll()).toBeNull();
	await expect(poll()).rejects.toThrow('refused');
});
