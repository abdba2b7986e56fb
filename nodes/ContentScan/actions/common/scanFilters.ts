import type { IDataObject } from 'n8n-workflow';
import { UserError } from 'n8n-workflow';
import { addedOption } from '../../../../input/addedOption';
import { refusedValue, enteredText } from '../../../../input/enteredValues';
import { enteredTime, refuseFuture } from '../../../../input/enteredTime';
import { chosenVerdict } from '../../../../services/scanning/verdict';

/** Parameter, its display name, its name on the wire. */
const TEXT_FILTERS: Array<[string, string, string]> = [
	['origin', 'Origin', 'origin'],
	['organizationId', 'Organization ID', 'organization_id'],
	['handleStatus', 'Handle Status', 'handle_status'],
	['subject', 'Email Subject', 'search_descendants.subject'],
	['originalMessageId', 'Original Message ID', 'search_descendants.original_message_id'],
];

/** As 10-digit epoch seconds, rounded away from the window: nothing inside it is lost. */
function seconds(
	value: unknown,
	label: string,
	timezone: string,
	round: (value: number) => number,
): number | undefined {
	if (value === undefined) return undefined;
	const time = enteredTime(value, label, timezone);
	if (time >= 0 && time / 1000 < 1e10) return round(time / 1000);
	throw refusedValue(`'${label}' is not a date the service accepts`, value);
}

/**
 * @param timezone IANA name; for times that name no zone.
 * @param now In milliseconds since the epoch.
 * @throws UserError that names the filter, for a value that is not usable.
 */
export function filterQuery(
	filters: IDataObject,
	timezone: string,
	now: number,
): Record<string, string | number | undefined> {
	// With a filter that gives nothing, the scans of everybody would be listed.
	const added = (name: string, label: string) =>
		addedOption(filters, name, label, 'Nothing was listed.');
	const time = (name: string, label: string, round: (value: number) => number) =>
		seconds(added(name, label), label, timezone, round);
	const start = time('start', 'Created After', Math.floor);
	if (start !== undefined) refuseFuture(start * 1000, 'Created After', now, timezone);
	const end = time('end', 'Created Before', Math.ceil);
	if (start !== undefined && end !== undefined && start > end) {
		throw new UserError("The filter 'Created After' is later than 'Created Before'", {
			description: 'Swap the two dates.',
		});
	}
	const texts = TEXT_FILTERS.map(([name, label, wireName]) => {
		const value = added(name, label);
		return [wireName, value === undefined ? undefined : enteredText(value, label)] as const;
	});
	const verdict = added('verdict', 'Verdict');
	return {
		start,
		end,
		verbose_verdict: verdict === undefined ? undefined : chosenVerdict(verdict, 'Verdict').code,
		...Object.fromEntries(texts),
	};
}
