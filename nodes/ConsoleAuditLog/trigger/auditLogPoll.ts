import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { connectConsole } from '../../../services/console/consoleService';
import type { Clock } from '../../../transport/clock';
import { systemClock } from '../../../transport/clock';
import { pauses } from '../../common/pauses';
import { deliverNew } from '../../common/polling/deliverNew';
import { beginPoll } from '../../common/polling/pollHost';
import { identifiedInTurn } from '../reading/entryIdentity';
import { LogSource } from './logSource';
import { testEventEntries } from './testEventEntries';
import { MAX_ENTRIES_OPTION } from './triggerFields';
import { triggerSettings } from './triggerSettings';

/**
 * One poll of the trigger, or "Fetch Test Event", which shows the newest entries and changes nothing.
 * @returns `null` when there is nothing to hand over, or when it was handed over already.
 * @throws What `deliverNew` throws, and NodeOperationError for settings that cannot be used.
 */
export async function pollAuditLog(
	context: IPollFunctions,
	clock: Clock = systemClock,
): Promise<INodeExecutionData[][] | null> {
	const terms = beginPoll(context, clock.now());
	const { deadline } = terms;
	const settings = triggerSettings(context);
	const console = await connectConsole(context, settings.authentication);
	if (context.getMode() === 'manual') {
		const newest = await testEventEntries(console.service, settings.reading, { deadline, clock });
		const pause = pauses(clock);
		// Entries without IDs are told apart in the order of the log.
		const entries = await identifiedInTurn(newest, settings.reading, pause);
		const results = await settings.output.items(entries.reverse(), pause);
		return results.length === 0 ? null : [results.map((json) => ({ json }))];
	}
	const source = new LogSource(context, console, settings, { deadline, clock });
	return await deliverNew(context, source, {
		moveOn: settings.moveOn,
		sizeOption: MAX_ENTRIES_OPTION,
		clock,
		...terms,
	});
}
