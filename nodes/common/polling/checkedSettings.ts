import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { UserError } from 'n8n-workflow';
import { enteredOption } from '../../../input/enteredValues';
import { operationError } from '../../../transport/errors/operationError';
import type { MoveOn } from './moveOn';
import { canStartExecutions } from './pollHost';

/**
 * What the user chose in a trigger.
 * @param read Reads and checks the fields, given the values of 'Options'.
 * @throws NodeOperationError that names the field for a value that cannot be used.
 */
export function checkedSettings<Settings>(
	context: IPollFunctions,
	read: (context: IPollFunctions, options: IDataObject) => Settings,
): Settings {
	try {
		return read(context, context.getNodeParameter('options', {}) as IDataObject);
	} catch (error) {
		// What an expression throws says best itself where it went wrong.
		throw error instanceof UserError ? refusal(context, error) : error;
	}
}

function refusal(context: IPollFunctions, { message, description }: UserError) {
	const unchanged = 'Nothing was read, and the stored position is unchanged.';
	const told = new UserError(message, { description: `${description} ${unchanged}` });
	return operationError(context.getNode(), told);
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
