import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { enteredNumber } from '../shared/enteredNumber';
import { enteredTime } from '../shared/enteredTime';
import { USUAL_FIELDS } from './auditLogEntry';
import type { ConsoleAuthentication } from './consoleService';
import type { ReadingSettings } from './logReading';
import { DIGEST_BOUNDS } from './seenDigests';
import { DEFAULT_LOOKBACK_MINUTES, DEFAULT_MAX_ENTRIES } from './triggerFields';

/** Where a trigger without a stored position begins. */
export type Start = { kind: 'now' } | { kind: 'oldest' } | { kind: 'date'; since: number };

export interface TriggerSettings {
	authentication: ConsoleAuthentication;
	start: Start;
	reading: ReadingSettings;
	includeEventKey: boolean;
	redeliverAfterRestart: boolean;
}

/**
 * What the user chose in the trigger.
 * @throws NodeOperationError that names the field for a value that cannot be used.
 */
export function triggerSettings(context: IPollFunctions): TriggerSettings {
	const options = context.getNodeParameter('options', {}) as IDataObject;
	const refuse = (field: string, flaw: string, advice: string) =>
		new NodeOperationError(context.getNode(), `'${field}' ${flaw}`, {
			description: `${advice} Nothing was read, and the stored position is unchanged.`,
			failure: { cause: 'configuration-invalid' },
		});
	const number = (value: unknown, field: string, least: number, whole: boolean) => {
		const given = enteredNumber(value);
		if (!Number.isFinite(given) || given < least || (whole && !Number.isInteger(given))) {
			throw refuse(
				field,
				`must be a ${whole ? 'whole ' : ''}number of ${least} or more`,
				`It is ${JSON.stringify(value)}. Change or remove it in the node's Options.`,
			);
		}
		return given;
	};
	const fieldName = (value: unknown, field: string) => {
		if (typeof value !== 'string' || value.trim() === '') {
			const advice = `Name a field of the entries, or remove it from the node's Options.`;
			throw refuse(field, 'is empty', advice);
		}
		return value.trim();
	};
	const redeliverAfterRestart = options.redeliverAfterRestart === true;
	return {
		authentication: context.getNodeParameter('authentication', 'headers') as ConsoleAuthentication,
		start: startOf(context, (flaw, advice) => refuse('Start Date', flaw, advice)),
		reading: {
			idField: fieldName(options.idField ?? USUAL_FIELDS.idField, 'ID Field'),
			timestampField: fieldName(
				options.timestampField ?? USUAL_FIELDS.timestampField,
				'Timestamp Field',
			),
			lookbackMs:
				60_000 *
				number(options.lookbackMinutes ?? DEFAULT_LOOKBACK_MINUTES, 'Lookback (Minutes)', 0, false),
			pageSize:
				options.pageSize === undefined ? undefined : number(options.pageSize, 'Page Size', 1, true),
			maxEntries: number(
				options.maxEntriesPerPoll ?? DEFAULT_MAX_ENTRIES,
				'Max Entries per Poll',
				1,
				true,
			),
			// Two states are stored then, within the bound of one.
			mostDigests: redeliverAfterRestart ? DIGEST_BOUNDS.all / 2 : undefined,
		},
		includeEventKey: options.includeEventKey === true,
		redeliverAfterRestart,
	};
}

function startOf(
	context: IPollFunctions,
	refuse: (flaw: string, advice: string) => NodeOperationError,
): Start {
	const startFrom = context.getNodeParameter('startFrom', 'now') as Start['kind'];
	if (startFrom !== 'date') return { kind: startFrom };
	const entered = context.getNodeParameter('startDate', '');
	const since = enteredTime(entered, context.getTimezone());
	if (since === undefined) {
		const example = '"2026-01-31T12:00:00.000Z"';
		throw refuse(
			'is not a date',
			`It is ${JSON.stringify(entered)}. Enter a date and time, e.g. ${example}.`,
		);
	}
	return { kind: 'date', since };
}
