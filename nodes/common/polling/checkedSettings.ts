import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { UserError } from 'n8n-workflow';
import { operationError } from '../../../transport/errors/operationError';

/**
 * What the user chose in a trigger.
 * @param read Reads and checks the fields, given the values of 'Options'. One whose expression gave nothing
 * is there with `undefined`, and no default may take its place: the user wanted something else.
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
