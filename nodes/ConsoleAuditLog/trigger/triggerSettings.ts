import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { UserError } from 'n8n-workflow';
import {
	enteredCount,
	enteredNumber,
	enteredOption,
	enteredText,
} from '../../../input/enteredValues';
import { enteredTime } from '../../../input/enteredTime';
import { USUAL_FIELDS } from '../../../services/console/auditLogEntry';
import { enteredAuthentication } from '../../../services/console/consoleService';
import type { ConsoleAuthentication } from '../../../services/console/consoleService';
import { checkedSettings } from '../../common/polling/checkedSettings';
import { enteredMoveOn } from '../../common/polling/enteredMoveOn';
import { LARGEST_BATCH } from '../../common/polling/largestBatch';
import type { MoveOn } from '../../common/polling/moveOn';
import type { EntryOutput } from '../output/entryOutput';
import { entryOutput } from '../output/entryOutput';
import type { ReadingSettings } from '../reading/readingSettings';
import { DEFAULT_LOOKBACK_MINUTES, DEFAULT_MAX_ENTRIES } from './triggerFields';

/** Where a trigger without a stored position begins. */
export type Start = { kind: 'now' } | { kind: 'oldest' } | { kind: 'date'; since: number };

export interface TriggerSettings {
	authentication: ConsoleAuthentication;
	start: Start;
	reading: ReadingSettings;
	output: EntryOutput;
	moveOn: MoveOn;
	/** Another text makes the trigger start over. */
	startOver: string;
}

/**
 * What the user chose in the trigger.
 * @throws NodeOperationError that names the field for a value that cannot be used.
 */
export function triggerSettings(context: IPollFunctions): TriggerSettings {
	return checkedSettings(context, readSettings);
}

function readSettings(context: IPollFunctions, options: IDataObject): TriggerSettings {
	const entered = {
		maxEntriesPerPoll: DEFAULT_MAX_ENTRIES,
		lookbackMinutes: DEFAULT_LOOKBACK_MINUTES,
		...USUAL_FIELDS,
		...options,
	};
	const fields = {
		idField: fieldName(entered.idField, 'ID Field'),
		timestampField: fieldName(entered.timestampField, 'Timestamp Field'),
	};
	const start = startOf(context);
	const output = entryOutput(
		{
			output: context.getNodeParameter('output', 'items'),
			lineTemplate: () => context.getNodeParameter('lineTemplate', '{entry}'),
			options,
		},
		fields,
	);
	return {
		authentication: enteredAuthentication(context.getNodeParameter('authentication', 'headers')),
		start,
		reading: {
			...fields,
			startDate: start.kind === 'date' ? start.since : undefined,
			lookbackMs: Math.ceil(
				60_000 * enteredNumber(entered.lookbackMinutes, 'Lookback (Minutes)', { least: 0 }),
			),
			pageSize: Object.hasOwn(options, 'pageSize')
				? enteredCount(options.pageSize, 'Page Size')
				: undefined,
			maxEntries: enteredCount(entered.maxEntriesPerPoll, 'Max Entries per Poll'),
			mostBytes: LARGEST_BATCH * output.share,
		},
		output,
		moveOn: enteredMoveOn(options, context),
		startOver: enteredText(options.startOver, 'Start Over').trim(),
	};
}

function fieldName(value: unknown, label: string): string {
	const name = enteredText(value, label).trim();
	if (name !== '') return name;
	throw new UserError(`'${label}' is empty`, {
		description: 'Enter the name of a field, or remove the option.',
	});
}

function startOf(context: IPollFunctions): Start {
	const startFrom = enteredOption(context.getNodeParameter('startFrom', 'now'), 'Start From', [
		'now',
		'oldest',
		'date',
	]);
	if (startFrom !== 'date') return { kind: startFrom };
	const startDate: unknown = context.getNodeParameter('startDate', '');
	return { kind: startFrom, since: enteredTime(startDate, 'Start Date', context.getTimezone()) };
}
