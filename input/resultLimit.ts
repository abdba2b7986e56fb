import type { IExecuteFunctions } from 'n8n-workflow';
import { enteredCount } from './enteredNumber';

/** n8n's default for the field 'Limit'. */
const DEFAULT_LIMIT = 50;

/**
 * How many results the fields 'Return All' and 'Limit' ask for: `Infinity` for all.
 * @throws UserError for a limit that is no whole number of 1 or more.
 */
export function resultLimit(context: IExecuteFunctions, itemIndex: number): number {
	if (context.getNodeParameter('returnAll', itemIndex, false) === true) return Infinity;
	const limit = context.getNodeParameter('limit', itemIndex, DEFAULT_LIMIT);
	return enteredCount(limit, 'Limit', "Enter 1 or more, or turn on 'Return All'.");
}
