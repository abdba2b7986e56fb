import type { IExecuteFunctions } from 'n8n-workflow';
import { enteredBoolean } from './enteredBoolean';
import { enteredCount } from './enteredNumber';

/** n8n's default for the field 'Limit'. */
const DEFAULT_LIMIT = 50;

/**
 * How many results the fields 'Return All' and 'Limit' ask for: `Infinity` for all.
 * @throws UserError for a switch that is neither on nor off, and a limit that is no whole number of 1 or more.
 */
export function resultLimit(context: IExecuteFunctions, itemIndex: number): number {
	const returnAll = context.getNodeParameter('returnAll', itemIndex, false);
	if (enteredBoolean(returnAll, 'Return All')) return Infinity;
	const limit = context.getNodeParameter('limit', itemIndex, DEFAULT_LIMIT);
	return enteredCount(limit, 'Limit', { advice: "Enter 1 or more, or turn on 'Return All'." });
}
