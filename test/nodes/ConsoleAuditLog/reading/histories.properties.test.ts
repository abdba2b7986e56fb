import * as fc from 'fast-check';
import { PAGE_SIZES } from '../../../../nodes/ConsoleAuditLog/reading/pageSize';
import { propertyRuns } from '../../../support/propertyRuns.cts';
import { histories } from '../support/histories';
import { HistoryOfTrigger } from '../support/historyOfTrigger';

/** Sizes at which a log of a few hundred entries is a backlog. */
beforeAll(() => {
	PAGE_SIZES.growing = [5, 12, 50];
	PAGE_SIZES.smallest = 2;
});

test('whatever the console, with faults, restarts and kills: nothing is lost, nothing comes twice, and the trigger is never stuck', async () => {
	await fc.assert(
		fc.asyncProperty(histories, async (history) => await new HistoryOfTrigger(history).run()),
		propertyRuns(400),
	);
}, 7_200_000);
