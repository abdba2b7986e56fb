import type { INode } from 'n8n-workflow';
import { NodeOperationError, UserError } from 'n8n-workflow';
import { withoutCanceledWord } from './canceledWord';

/** How the checks begin that find an execution canceled. */
const OF_A_CANCELLATION = 'The execution was canceled';

/**
 * The one place where a check of a field, an item or a credential becomes an n8n error: with the
 * node, and with the item at the end of its words.
 * @param error What the check threw: what is wrong, and in its description what to do.
 */
export function operationError(node: INode, error: Error, itemIndex?: number): NodeOperationError {
	const { description } = error as Partial<UserError>;
	const item = itemIndex === undefined ? '' : ` [item ${itemIndex}]`;
	const made = new NodeOperationError(node, error, {
		description: description ?? undefined,
		itemIndex,
		// It lasts until somebody changes something, says n8n's back-off by this.
		failure: error instanceof UserError ? { cause: 'configuration-invalid' } : undefined,
	});
	// n8n puts its own text in place of one that holds a code of Node.js, be it part of a name.
	const { message } = error;
	const text = message.startsWith(OF_A_CANCELLATION) ? message : withoutCanceledWord(message);
	made.message = `${text}${item}`;
	return made;
}
