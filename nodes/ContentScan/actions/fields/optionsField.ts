import type { INodeProperties } from 'n8n-workflow';
import { queueTimeField } from '../../../common/queueTime';

/** Of 'Parallel Items'. */
export const PARALLEL_ITEMS = { few: 10, most: 100 };

/**
 * The default of 'Parallel Items'. Few are under way when a change fails; and uploads share the uplink: how long one
 * may take (exchange.ts) is reckoned for ten.
 */
export function defaultParallelItems(operation: string): number {
	return ['scanUrl', 'get', 'getAll'].includes(operation)
		? PARALLEL_ITEMS.most
		: PARALLEL_ITEMS.few;
}

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
): INodeProperties {
	const shared = [
		queueTimeField('because of Calls per Minute'),
		parallelItemsField(defaultParallelItems(show.operation[0])),
	];
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
