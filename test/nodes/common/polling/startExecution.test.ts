import type { INodeExecutionData, IPollFunctions, IRun } from 'n8n-workflow';
import { startExecution } from '../../../../nodes/common/polling/pollHost';
import { deferred } from '../../../support/deferred.cts';

const items: INodeExecutionData[] = [{ json: {} }];

/** The outcome of an execution in which these nodes ran, of a trigger that only "End" follows. */
async function outcomeOf(ran: string[], hasLostItsName: boolean, inQueueMode = false) {
	const context = {
		getNode: () => ({ id: 'a', name: 'Trigger' }),
		getChildNodes: () => [{ name: 'End' }],
		helpers: { createDeferredPromise: deferred },
		__emit: (...[, , done]: Parameters<IPollFunctions['__emit']>) => {
			const told = inQueueMode ? [] : ran;
			const runData = Object.fromEntries(told.map((name) => [name, []]));
			const resultData = { runData, lastNodeExecuted: ran.at(-1) };
			done?.resolve({ status: 'success', data: { resultData } } as unknown as IRun);
		},
	} as unknown as IPollFunctions;
	return await startExecution(context, items, {
		doubtsEnd: false,
		hasLostItsName: async () => hasLostItsName,
	});
}

it('an execution that ran what follows the trigger counts, also where its name is another one by then', async () => {
	expect(await outcomeOf(['Trigger', 'End'], true)).toBe('success');
});

it.each([false, true])(
	'one that ran what follows another node that has the name by then does not (queue mode: %p)',
	async (inQueueMode) => {
		expect(await outcomeOf(['Trigger', 'Other End'], true, inQueueMode)).toBe('unknown');
	},
);

it('what else ran is of no account as long as the trigger has its name: a tool of an agent, perhaps', async () => {
	expect(await outcomeOf(['Trigger', 'End', 'Tool'], false)).toBe('success');
});
