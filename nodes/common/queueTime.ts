import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { Clock } from '../../transport/clock';
import { enteredNumber } from '../../input/enteredValues';

/** Default of 'Max Queue Time', in seconds. */
export const DEFAULT_QUEUE_SECONDS = 3600;

/**
 * The option with which a user bounds how long a call waits for its turn.
 * @param forWhat Completes "How long a call may wait".
 */
export function queueTimeField(forWhat: string): INodeProperties {
	return {
		displayName: 'Max Queue Time (Seconds)',
		name: 'queueTimeout',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: DEFAULT_QUEUE_SECONDS,
		description: `How long a call may wait ${forWhat}, including retries. After that, the item fails. Calls that only read must also be answered by then. Default: ${DEFAULT_QUEUE_SECONDS}. 0: no limit.`,
	};
}

/** @throws UserError for what is no number of seconds. */
export function enteredQueueSeconds(value: unknown): number {
	return enteredNumber(value, 'Max Queue Time (Seconds)', { least: 0 });
}

/**
 * Time by which a call that is made now must have been answered, in milliseconds of the clock.
 * @returns `undefined` where the option says 0: as long as the execution runs.
 * @throws UserError for an option that is no number of seconds.
 */
export function queueDeadline(options: IDataObject, clock: Clock): number | undefined {
	const { queueTimeout } = { queueTimeout: DEFAULT_QUEUE_SECONDS, ...options };
	const seconds = enteredQueueSeconds(queueTimeout);
	return seconds === 0 ? undefined : clock.now() + seconds * 1000;
}
