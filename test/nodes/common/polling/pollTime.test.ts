import type { IPollFunctions } from 'n8n-workflow';
import { beginPoll } from '../../../../nodes/common/polling/pollHost';

/** @param budgetMs What n8n gives a poll; `undefined`: it does not tell. */
const contextOf = (budgetMs: number | undefined) =>
	({
		getMode: () => 'trigger',
		...(budgetMs !== undefined && { getPollBudgetMs: () => budgetMs }),
	}) as unknown as IPollFunctions;

const timesOf = (context: IPollFunctions) => [1, 2].map(() => beginPoll(context, 0).deadline);

// n8n gives an activation up after 84 s, and starts the trigger no more.
test.each([
	[300_000, [64_600, 255_000]],
	[36_000, [30_600, 30_600]],
	[undefined, [30_600, 30_600]],
])('of %p ms, the polls of a trigger take %p at most', (budget, times) => {
	expect(timesOf(contextOf(budget))).toEqual(times);
});
