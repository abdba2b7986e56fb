import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { UserError } from 'n8n-workflow';
import { enteredCount, enteredNumber } from '../../../input/enteredNumber';
import { enteredTime } from '../../../input/enteredTime';
import { operationError } from '../../../transport/errors/operationError';
import { USUAL_FIELDS } from '../../../services/console/auditLogEntry';
import type { ConsoleAuthentication } from '../../../services/console/consoleService';
import type { EntryOutput } from '../output/entryOutput';
import { entryOutput } from '../output/entryOutput';
import type { ReadingSettings } from '../reading/logReading';
import { DIGEST_BOUNDS } from '../reading/seenDigests';
import { DEFAULT_LOOKBACK_MINUTES, DEFAULT_MAX_ENTRIES } from './triggerFields';

/** Where a trigger without a stored position begins. */
export type Start = { kind: 'now' } | { kind: 'oldest' } | { kind: 'date'; since: number };

/** What the user chose in the trigger. */
export interface TriggerSettings {
	authentication: ConsoleAuthentication;
	start: Start;
	reading: ReadingSettings;
	output: EntryOutput;
	redeliverAfterRestart: boolean;
}

/** What every refusal ends with. */
const UNCHANGED = 'Nothing was read, and the stored position is unchanged.';

const CHANGE_OPTION = `Change or remove it in the node's Options. ${UNCHANGED}`;

/**
 * What the user chose in the trigger.
 * @throws NodeOperationError that names the field for a value that cannot be used.
 */
export function triggerSettings(context: IPollFunctions): TriggerSettings {
	try {
		return readSettings(context, context.getNodeParameter('options', {}) as IDataObject);
	} catch (error) {
		// What an expression throws says best itself where it went wrong.
		throw error instanceof UserError ? operationError(context.getNode(), error) : error;
	}
}

function readSettings(context: IPollFunctions, options: IDataObject): TriggerSettings {
	const { pageSize, maxEntriesPerPoll = DEFAULT_MAX_ENTRIES } = options;
	const redeliverAfterRestart = options.redeliverAfterRestart === true;
	const fields = {
		idField: fieldName(options.idField ?? USUAL_FIELDS.idField, 'ID Field'),
		timestampField: fieldName(
			options.timestampField ?? USUAL_FIELDS.timestampField,
			'Timestamp Field',
		),
	};
	return {
		authentication: context.getNodeParameter('authentication', 'headers') as ConsoleAuthentication,
		start: startOf(context),
		reading: {
			...fields,
			lookbackMs: 60_000 * lookbackMinutes(options.lookbackMinutes),
			pageSize:
				pageSize === undefined ? undefined : enteredCount(pageSize, 'Page Size', CHANGE_OPTION),
			maxEntries: enteredCount(maxEntriesPerPoll, 'Max Entries per Poll', CHANGE_OPTION),
			// Two states are stored then, within the bound of one.
			mostDigests: redeliverAfterRestart ? DIGEST_BOUNDS.all / 2 : undefined,
		},
		output: entryOutput(
			{
				output: context.getNodeParameter('output', 'items'),
				lineTemplate: context.getNodeParameter('lineTemplate', '{entry}'),
				maxTextSize: options.maxTextSize,
				includeEventKey: options.includeEventKey === true,
			},
			fields,
		),
		redeliverAfterRestart,
	};
}

function lookbackMinutes(value: unknown = DEFAULT_LOOKBACK_MINUTES): number {
	const minutes = enteredNumber(value);
	if (Number.isFinite(minutes) && minutes >= 0) return minutes;
	throw new UserError("'Lookback (Minutes)' must be a number of 0 or more", {
		description: `It is ${JSON.stringify(value)}. ${CHANGE_OPTION}`,
	});
}

function fieldName(value: unknown, label: string): string {
	if (typeof value === 'string' && value.trim() !== '') return value.trim();
	throw new UserError(`'${label}' is empty`, {
		description: `Name a field of the entries, or remove it from the node's Options. ${UNCHANGED}`,
	});
}

function startOf(context: IPollFunctions): Start {
	const startFrom: unknown = context.getNodeParameter('startFrom', 'now');
	switch (startFrom) {
		case 'now':
		case 'oldest':
			return { kind: startFrom };
		case 'date':
			return { kind: startFrom, since: startDate(context) };
		default:
			throw new UserError("'Start From' is none of those in its list", {
				description: `It is ${JSON.stringify(startFrom)}. Choose one, or correct the expression in its place. ${UNCHANGED}`,
			});
	}
}

function startDate(context: IPollFunctions): number {
	const entered: unknown = context.getNodeParameter('startDate', '');
	const since = enteredTime(entered, context.getTimezone());
	if (since !== undefined) return since;
	throw new UserError("'Start Date' is not a date", {
		description: `It is ${JSON.stringify(entered)}. Enter a date and time, e.g. "2026-01-31T12:00:00.000Z". ${UNCHANGED}`,
	});
}
