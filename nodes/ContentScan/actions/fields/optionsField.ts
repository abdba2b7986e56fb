import type { INodeProperties } from 'n8n-workflow';
import { queueTimeField } from '../../../common/queueTime';

export const DEFAULT_PARALLEL_ITEMS = 10;

export const MOST_PARALLEL_ITEMS = 100;

/** Options of every operation: how its calls share the licensed rate. */
const pacingOptions: INodeProperties[] = [
	queueTimeField('because of Calls per Minute'),
	{
		displayName: 'Parallel Items',
		name: 'concurrency',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: MOST_PARALLEL_ITEMS },
		default: DEFAULT_PARALLEL_ITEMS,
		description:
			'How many items to process at the same time (1 to 100). Items that are submitted and wait for their verdict do not count. Default: 10. Results keep the order of the input.',
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
		options: [...own, ...pacingOptions].sort((a, b) => (a.displayName < b.displayName ? -1 : 1)),
	};
}
