import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { UserError } from 'n8n-workflow';
import { refusedValue, enteredText } from '../../../../input/enteredValues';
import { enteredTime } from '../../../../input/enteredTime';
import { chosenVerdict, verdictOptions } from '../../../../services/scanning/verdict';

export const filterOptions: INodeProperties[] = [
	{
		displayName: 'Created After',
		name: 'start',
		type: 'dateTime',
		default: '',
		description:
			'Only scans created at or after this time, to the second. In the time zone of the workflow unless you add an offset. Default: no limit.',
	},
	{
		displayName: 'Created Before',
		name: 'end',
		type: 'dateTime',
		default: '',
		description:
			'Only scans created at or before this time, to the second. In the time zone of the workflow unless you add an offset. Default: now.',
	},
	{
		displayName: 'Email Subject',
		name: 'subject',
		type: 'string',
		default: '',
		placeholder: 'e.g. Your invoice',
		description: 'Only scans of emails with this subject. Default: any.',
	},
	{
		displayName: 'Handle Status',
		name: 'handleStatus',
		type: 'string',
		default: '',
		description:
			'Only scans with this handling status. Ask your provider for the values. Default: any.',
	},
	{
		displayName: 'Organization ID',
		name: 'organizationId',
		type: 'string',
		default: '',
		description: 'Only scans of this organization. The token must cover it. Default: all.',
	},
	{
		displayName: 'Origin',
		name: 'origin',
		type: 'string',
		default: '',
		description:
			'Only scans from this source, as the service names it. If empty, from all of them.',
	},
	{
		displayName: 'Original Message ID',
		name: 'originalMessageId',
		type: 'string',
		default: '',
		placeholder: 'e.g. <b2f0@mail.example.com>',
		description: 'Only scans of the email with this Message-ID header. Default: any.',
	},
	{
		displayName: 'Verdict',
		name: 'verdict',
		type: 'options',
		options: verdictOptions,
		default: 'malicious',
		description: 'Only scans with this verdict. Default when added: malicious.',
	},
];

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
