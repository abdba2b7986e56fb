import * as fc from 'fast-check';
import { propertyRuns } from '../../../support/propertyRuns.cts';
import { feedHistories } from './support/feedHistories';
import { HistoryOfFeed } from './support/historyOfFeed';

test('whatever the list of scans, with faults, restarts and kills: each scan comes once, none is lost, and the trigger is never stuck', async () => {
	await fc.assert(
		fc.asyncProperty(feedHistories, async (history) => await new HistoryOfFeed(history).run()),
		propertyRuns(150),
	);
}, 7_200_000);
