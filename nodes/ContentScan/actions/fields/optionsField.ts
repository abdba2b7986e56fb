import type { INodeProperties } from 'n8n-workflow';
import { queueTimeField } from '../../../common/queueTime';

/** Of 'Parallel Items'. Uploads share the uplink: how long one may take (exchange.ts) is reckoned for ten. */
export const PARALLEL_ITEMS = { uploads: 10, otherwise: 100, most: 100 };

function parallelItemsField(byDefault: number): INodeProperties {
	return {
		displayName: 'Parallel Items',
		name: 'concurrency',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: PARALLEL_ITEMS.most },
		default: byDefault,
		description: `How many items to process at the same time (1 to ${PARALLEL_ITEMS.most}). Items that are submitted and wait for their verdict do not count. Default: ${byDefault}. Results keep the order of the input.`,
	};
}

/**
 * The options collection of an operation: its own options, and those of every operation, which say how its calls
 * share the licensed rate.
 */
export function optionsField(
	show: Record<string, string[]>,
	own: INodeProperties[] = [],
	parallelItems = PARALLEL_ITEMS.otherwise,
): INodeProperties {
	const shared = [queueTimeField('because of Calls per Minute'), parallelItemsField(parallelItems)];
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		displayOptions: { show },
		options: [...own, ...shared].sort((a, b) => (a.displayName < b.displayName ? -1 : 1)),
	};
}
