import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { UserError } from 'n8n-workflow';
import { addedOption } from '../../../input/addedOption';
import { enteredTime, isNoTime, refuseFuture, zonedTime } from '../../../input/enteredTime';
import { RETENTION_DAYS, RETENTION_MS } from '../../../services/console/auditLogEntry';
import { addHints } from '../../common/addHints';
import { isTool } from '../../common/isTool';

/** Earliest and latest time wanted, in milliseconds. */
export interface TimeRange {
	since?: number;
	until?: number;
}

/**
 * The fields 'Since' and 'Until' of an item.
 * @throws UserError that names the field, for a value that cannot be used.
 */
export function enteredRange(
	context: IExecuteFunctions,
	itemIndex: number,
	options: IDataObject,
	now: number,
): TimeRange {
	const timezone = context.getTimezone();
	const since = enteredSince(context, itemIndex, timezone);
	const until = enteredUntil(context, options, timezone);
	const shown = (time: number) => zonedTime(time, timezone);
	if (since !== undefined) refuseFuture(since, 'Since', now, timezone);
	if (since !== undefined && until !== undefined && until < since) {
		throw new UserError("'Until' is before 'Since'", {
			description: `'Until' is ${shown(until)}, 'Since' is ${shown(since)}. Swap the two dates.`,
		});
	}
	if (since !== undefined && since < now - RETENTION_MS) {
		const message = `'Since' of item ${itemIndex} is more than ${RETENTION_DAYS} days ago. The console has deleted entries that old.`;
		addHints(context, [{ message }]);
	}
	return { since, until };
}

/**
 * The user may leave the field empty; an expression that gives nothing would read the whole log. An AI
 * agent leaves empty what it does not limit.
 */
function enteredSince(
	context: IExecuteFunctions,
	itemIndex: number,
	timezone: string,
): number | undefined {
	const value = context.getNodeParameter('since', itemIndex, '');
	if (!isNoTime(value)) return enteredTime(value, 'Since', timezone);
	const typed = context.getNodeParameter('since', itemIndex, '', { rawExpressions: true });
	const isExpression = typeof typed === 'string' && typed.startsWith('=');
	if (isExpression && !isTool(context)) {
		throw new UserError("'Since' is empty", {
			description: 'Correct its expression, or clear the field to set no limit. Nothing was read.',
		});
	}
	return undefined;
}

function enteredUntil(
	context: IExecuteFunctions,
	options: IDataObject,
	timezone: string,
): number | undefined {
	if (isTool(context) && isNoTime(options.until)) return undefined;
	const until = addedOption(options, 'until', 'Until', 'Nothing was read.');
	return until === undefined ? undefined : enteredTime(until, 'Until', timezone);
}
