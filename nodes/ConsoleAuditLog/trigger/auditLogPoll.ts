import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { connectConsole } from '../../../services/console/consoleService';
import type { Clock } from '../../../transport/clock';
import { systemClock } from '../../../transport/clock';
import { deliverNew } from '../../common/polling/deliverNew';
import { pollBudgetMs } from '../../common/polling/pollHost';
import { identified } from '../reading/entryIdentity';
import { LogSource } from './logSource';
import { testEventEntries } from './testEvent';
import { MAX_ENTRIES_OPTION } from './triggerFields';
import { triggerSettings } from './triggerSettings';

/** Share of a poll's time used for reading and waiting; the rest is for handing over. */
const READING_SHARE = 0.85;

/** Time for "Fetch Test Event", in milliseconds. */
const MANUAL_BUDGET_MS = 60_000;

/**
 * One poll of the trigger, or "Fetch Test Event", which shows the newest entries and changes nothing.
 * @returns `null` when there is nothing to hand over, or when it was handed over already.
 * @throws What `deliverNew` throws, and NodeOperationError for settings that cannot be used.
 */
export async function pollAuditLog(
	context: IPollFunctions,
	clock: Clock = systemClock,
): Promise<INodeExecutionData[][] | null> {
	const isManual = context.getMode() === 'manual';
	const budget = isManual ? MANUAL_BUDGET_MS : pollBudgetMs(context);
	const deadline = clock.now() + budget * READING_SHARE;
	const settings = triggerSettings(context);
	const service = await connectConsole(context, settings.authentication);
	if (isManual) {
		const newest = await testEventEntries(service, settings.reading, { deadline, clock });
		const results = settings.output(identified(newest, settings.reading));
		return results.length === 0 ? null : [results.map((json) => ({ json }))];
	}
	const source = new LogSource(context, service, settings, { deadline, clock });
	return await deliverNew(context, source, {
		moveOn: settings.moveOn,
		sizeOption: MAX_ENTRIES_OPTION,
		deadline,
		clock,
	});
}
