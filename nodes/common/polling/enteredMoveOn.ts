import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { UserError } from 'n8n-workflow';
import { enteredOption } from '../../../input/enteredValues';
import type { MoveOn } from './moveOn';
import { canStartExecutions } from './pollHost';

/** @throws UserError for a value that is not in the list, or that this n8n cannot do. */
export function enteredMoveOn(options: IDataObject, context: IPollFunctions): MoveOn {
	const { moveOn: value } = { moveOn: 'handedOver', ...options };
	const moveOn = enteredOption(value, 'Move On When', ['handedOver', 'finished', 'succeeded']);
	if (moveOn === 'handedOver' || canStartExecutions(context)) return moveOn;
	throw new UserError("'Move On When' cannot wait for the workflow in this version of n8n", {
		description: 'Choose the first option, or update n8n.',
	});
}
