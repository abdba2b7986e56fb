import type { IDataObject } from 'n8n-workflow';
import { UserError } from 'n8n-workflow';
import { refusedValue, enteredText } from '../../../../input/enteredValues';
import { enteredTime } from '../../../../input/enteredTime';
import { chosenVerdict } from '../../../../services/scanning/verdict';

/** Parameter, its display name, its name on the wire. */
const TEXT_FILTERS: Array<[string, string, string]> = [
	['origin', 'Origin', 'origin'],
	['organizationId', 'Organization ID', 'organization_id'],
	['handleStatus', 'Handle Status', 'handle_status'],
	['subject', 'Email Subject', 'search_descendants.subject'],
	['originalMessageId', 'Original Message ID', 'search_descendants.original_message_id'],
];

function isSet(value: unknown): boolean {
	return value !== undefined && value !== null && value !== '';
}

/** As 10-digit epoch seconds, rounded away from the window: nothing inside it is lost. */
function seconds(
	value: unknown,
	label: string,
	timezone: string,
	round: (value: number) => number,
): number | undefined {
	if (!isSet(value)) return undefined;
	const time = enteredTime(value, label, timezone);
	if (time >= 0 && time / 1000 < 1e10) return round(time / 1000);
	throw refusedValue(`'${label}' is not a date the service accepts`, value);
}

/**
 * @param timezone IANA name; for times that name no zone.
 * @throws UserError that names the filter, for a value that is not usable.
 */
export function filterQuery(
	filters: IDataObject,
	timezone: string,
): Record<string, string | number | undefined> {
	const start = seconds(filters.start, 'Created After', timezone, Math.floor);
	const end = seconds(filters.end, 'Created Before', timezone, Math.ceil);
	if (start !== undefined && end !== undefined && start > end) {
		throw new UserError("The filter 'Created After' is later than 'Created Before'", {
			description: 'Swap the two dates.',
		});
	}
	const texts = TEXT_FILTERS.filter(([name]) => isSet(filters[name])).map(
		([name, label, wireName]) => [wireName, enteredText(filters[name], label)] as const,
	);
	// Once added, an expression that gives none must not list the scans of every verdict.
	const verdict = Object.hasOwn(filters, 'verdict')
		? chosenVerdict(filters.verdict, 'Verdict').code
		: undefined;
	return { start, end, verbose_verdict: verdict, ...Object.fromEntries(texts) };
}
