import type {
	IDataObject,
	INodeProperties,
	INodePropertyOptions,
	IPollFunctions,
} from 'n8n-workflow';
import { UserError } from 'n8n-workflow';
import { enteredOption } from '../../../input/enteredValues';
import type { MoveOn } from './moveOn';
import { canStartExecutions } from './pollHost';

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
			"When a batch counts as delivered. With 'Workflow Has Finished' and 'Workflow Has Succeeded', batches run one at a time; after a crash a batch may be delivered twice, but none is lost.",
	};
}

/** @throws UserError for a value that is not in the list, or that this n8n cannot do. */
export function enteredMoveOn(
	{ moveOn: value = 'handedOver' }: IDataObject,
	context: IPollFunctions,
): MoveOn {
	const moveOn = enteredOption(value, 'Move On When', ['handedOver', 'finished', 'succeeded']);
	if (moveOn === 'handedOver' || canStartExecutions(context)) return moveOn;
	throw new UserError("'Move On When' cannot wait for the workflow in this version of n8n", {
		description: 'Choose the first option, or update n8n.',
	});
}
