import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

/**
 * @param what What the trigger delivers, as it begins a label.
 * @param sizeOption Name of the option that bounds a batch.
 */
export function moveOnField(what: string, sizeOption: string): INodeProperties {
	const options: INodePropertyOptions[] = [
		{
			name: `${what} Are Handed Over`,
			value: 'handedOver',
			description: 'Each batch starts one execution. A failed batch is not delivered again.',
		},
		{
			name: 'Workflow Has Finished',
			value: 'finished',
			description:
				'With or without an error. If n8n stops before that, the batch is delivered again.',
		},
		{
			name: 'Workflow Has Succeeded',
			value: 'succeeded',
			description: `A batch is delivered again until its execution succeeds. One bad item repeats its whole batch: set '${sizeOption}' low.`,
		},
	];
	return {
		displayName: 'Move On When',
		name: 'moveOn',
		type: 'options',
		options,
		default: 'handedOver',
		description:
			"When a batch (all items of one execution) counts as delivered. With 'Workflow Has Finished' and 'Workflow Has Succeeded', batches run one at a time; after a crash a batch may be delivered twice, but none is lost.",
	};
}
