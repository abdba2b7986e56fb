import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	NodeApiError,
} from 'n8n-workflow';
import { NodeApiError as ApiError, NodeOperationError } from 'n8n-workflow';
import { operationError } from '../../transport/errors/operationError';
import { isTool } from './isTool';

/** Everything an operation throws leaves the node as one of these two. */
export type NodeFailure = NodeApiError | NodeOperationError;

/** The items that an operation made of one input item. */
export function resultItems(results: IDataObject[], itemIndex: number): INodeExecutionData[] {
	return results.map((json) => ({ json, pairedItem: { item: itemIndex } }));
}

/**
 * An error with the item it happened on. What the transport threw is complete; what a check of the
 * input threw (UserError) gets the node and the item.
 */
export function nodeFailure(
	context: IExecuteFunctions,
	error: unknown,
	itemIndex: number,
): NodeFailure {
	if (error instanceof ApiError || error instanceof NodeOperationError) return error;
	return operationError(context.getNode(), error as Error, itemIndex);
}

/** n8n hands an agent the message only: what to do, and what was submitted already, must stand there. */
export function withAdviceForAgent(context: IExecuteFunctions, failure: NodeFailure): NodeFailure {
	if (isTool(context)) failure.message = `${failure.message}. ${failure.description ?? ''}`.trim();
	return failure;
}

/**
 * The item that stands for one that did not succeed, under "continue on fail". n8n keeps only the
 * message where an item carries the error object, and sends an item to the error output when its `json`
 * holds nothing but `error` and `message`, and since 2.34 `details`. So what must survive goes into
 * `message` there, and in the regular output into `details` and beside `error`.
 *
 * @param known What is known of the item all the same: the scan_id of a submission.
 */
export function errorItem(
	context: IExecuteFunctions,
	failure: NodeFailure,
	itemIndex: number,
	known: IDataObject,
): INodeExecutionData {
	const details: IDataObject = { ...known };
	if (failure.description) details.description = failure.description;
	if ('httpCode' in failure && failure.httpCode) details.httpCode = failure.httpCode;
	const error = failure.message;
	const leavesByErrorOutput = context.getNode().onError === 'continueErrorOutput';
	const json = leavesByErrorOutput ? { error, message: details } : { error, ...known, details };
	return { json, pairedItem: { item: itemIndex } };
}
