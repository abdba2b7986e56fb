import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { UserError } from 'n8n-workflow';
import { listBudget } from '../../../services/scanning/listBudget';
import { connectScanService } from '../../../services/scanning/scanService';
import type { Clock } from '../../../transport/clock';
import { systemClock } from '../../../transport/clock';
import { operationError } from '../../../transport/errors/operationError';
import { deliverNew } from '../../common/polling/deliverNew';
import { beginPoll } from '../../common/polling/pollHost';
import { SIZE_OPTION } from './feedFields';
import { eventItem } from './feedItems';
import type { ScanFeedSettings } from './feedSettings';
import { scanFeedSettings } from './feedSettings';
import { testEventScans } from './testEventScans';
import type { PolledList } from './polledList';
import { ScanFeedSource } from './scanFeedSource';

/** Longest time for reading, in milliseconds: what was found should not wait for the rest. */
const LONGEST_READING_MS = 45_000;

/**
 * One poll of the trigger: reads what is new in the list of scans and what was pending, and delivers
 * the scans that have finished with a selected verdict.
 *
 * @returns `null` when there is nothing to deliver.
 * @throws NodeApiError when the list cannot be read.
 */
export async function pollScanFeed(
	context: IPollFunctions,
	clock: Clock = systemClock,
): Promise<INodeExecutionData[][] | null> {
	const begun = clock.now();
	const terms = beginPoll(context, begun);
	const settings = scanFeedSettings(context);
	const scans = await connectScanService(context);
	const budget = listBudget(scans, 'trigger', clock);
	const list: PolledList = {
		scans,
		budget,
		filters: settings.filters,
		clock,
		deadline: terms.isActivation
			? terms.deadline
			: Math.min(terms.deadline, begun + LONGEST_READING_MS),
	};
	if (context.getMode() === 'manual') return [await testEvents(context, list, settings)];
	const { moveOn } = settings;
	const feed = new ScanFeedSource(context, list, settings);
	return await deliverNew(context, feed, { ...terms, moveOn, clock, sizeOption: SIZE_OPTION });
}

async function testEvents(
	context: IPollFunctions,
	list: PolledList,
	{ verdicts, simplify }: ScanFeedSettings,
): Promise<INodeExecutionData[]> {
	// The user asked for it: no wait for a verdict has fewer calls for that.
	const budget = listBudget(list.scans, 'trigger', list.clock, new Map());
	const newest = await testEventScans({ ...list, budget }, verdicts);
	if (newest.length === 0) throw operationError(context.getNode(), noTestEvent(verdicts));
	return newest.map((record) => eventItem({ event: 'finished', record, created: 0 }, simplify));
}

function noTestEvent(verdicts: string[]): UserError {
	const which = verdicts.length === 0 ? '' : ` with one of these verdicts: ${verdicts.join(', ')}`;
	return new UserError(`No finished scan of the last 90 days was found${which}`, {
		description:
			"Publish the workflow, and the next such scan starts it. To see a test event now, select more 'Verdicts', or submit a test file with Content Scan. Check 'Origin' and 'Organization ID' if they are set.",
	});
}
