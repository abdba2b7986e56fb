import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { UserError } from 'n8n-workflow';
import { alphabetical } from '../shared/alphabetical';
import type { Clock } from '../transport/clock';

/** Default of 'Max Queue Time', in seconds. */
export const DEFAULT_QUEUE_SECONDS = 3600;

/** Default of 'Parallel Items'. */
export const DEFAULT_PARALLEL_ITEMS = 10;

/** Options of every operation: how its calls share the licensed rate. */
const pacingOptions: INodeProperties[] = [
	{
		displayName: 'Max Queue Time',
		name: 'queueTimeout',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: DEFAULT_QUEUE_SECONDS,
		description:
			'Longest time, in seconds, that a call may wait for its turn within the calls per minute of the license, retries included. Past it the item fails without having been sent. Default: 3600. 0 waits as long as the execution runs.',
	},
	{
		displayName: 'Parallel Items',
		name: 'concurrency',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 100 },
		default: DEFAULT_PARALLEL_ITEMS,
		description:
			'How many items are worked on at the same time, from 1 to 100; items that only wait for a verdict do not count. Default: 10. The results keep the order of the input.',
	},
];

/** The options collection of an operation: its own options and those of every operation. */
export function optionsField(
	show: Record<string, string[]>,
	own: INodeProperties[] = [],
): INodeProperties {
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		displayOptions: { show },
		options: [...own, ...pacingOptions].sort((a, b) => alphabetical(a.displayName, b.displayName)),
	};
}

/** The node's options as they are for one item. */
export function executionOptions(context: IExecuteFunctions, itemIndex: number): IDataObject {
	return context.getNodeParameter('options', itemIndex, {});
}

/**
 * Time by which a call that is made now must have been answered, in milliseconds of the clock.
 * @returns `undefined` where the option says 0: as long as the execution runs.
 * @throws UserError for an option that is no number of seconds.
 */
export function queueDeadline(options: IDataObject, clock: Clock): number | undefined {
	const seconds = Number(options.queueTimeout ?? DEFAULT_QUEUE_SECONDS);
	if (!Number.isFinite(seconds) || seconds < 0) {
		throw new UserError("The option 'Max Queue Time' is not a number of seconds", {
			description: 'Enter a number from 0; 0 means as long as the execution runs.',
		});
	}
	return seconds === 0 ? undefined : clock.now() + seconds * 1000;
}
