import type { IExecuteFunctions } from 'n8n-workflow';

/**
 * Whether an AI agent calls the node. n8n before 2.x tells it by the context, newer versions by the
 * type that a tool gets.
 */
export function isTool(context: IExecuteFunctions): boolean {
	const { isToolExecution } = context as Partial<IExecuteFunctions>;
	return isToolExecution?.call(context) === true || context.getNode().type.endsWith('Tool');
}
