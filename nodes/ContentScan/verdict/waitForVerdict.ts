import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { UserError } from 'n8n-workflow';
import { enteredNumber } from '../../../input/enteredNumber';
import type { Answer } from '../../../transport/call';
import type { ItemRun } from '../actions/itemRun';
import { recordVerdict } from '../../../services/scanning/scanRecord';
import type { WatchOutcome } from './verdictWatch';

/** Default of 'Wait Timeout', in seconds. */
const DEFAULT_WAIT_SECONDS = 300;

/**
 * How far before the service's own time the list is read, in milliseconds: the clocks of the
 * machines behind one address differ, and `start` counts in seconds.
 */
const MARGIN_MS = 30_000;

/** The same where the answer carried no time, and n8n's own clock has to do. */
const MARGIN_WITHOUT_DATE_MS = 600_000;

/** The options with which a submission waits for its verdict. */
export const waitOptions: INodeProperties[] = [
	{
		displayName: 'On Timeout',
		name: 'onTimeout',
		type: 'options',
		options: [
			{
				name: 'Fail the Item',
				value: 'error',
				description: 'The item ends with an error that names its scan_id',
			},
			{
				name: 'Return the Item',
				value: 'item',
				description: 'The item has status "pending" and keeps its scan_id',
			},
		],
		default: 'item',
		description:
			'What becomes of an item whose scan has not finished when the wait timeout is over. Default: return the item. Only with Wait for Verdict.',
	},
	{
		displayName: 'Wait for Verdict',
		name: 'waitForVerdict',
		type: 'boolean',
		default: true,
		description:
			'Whether to wait until the scan has finished and return the verdict with it. On by default once the option is added; without it the item holds the scan_id only.',
	},
	{
		displayName: 'Wait Timeout',
		name: 'waitTimeout',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: DEFAULT_WAIT_SECONDS,
		description:
			'Longest time to wait for the verdict of a scan, in seconds from its submission. Default: 300. Only with Wait for Verdict.',
	},
];

function waitSeconds(item: ItemRun): number {
	return enteredNumber(item.options.waitTimeout ?? DEFAULT_WAIT_SECONDS, 'Wait Timeout', {
		least: 1,
	});
}

/**
 * From when on the list has to be read to find a scan, in milliseconds of the service's clock. That
 * clock comes from the `date` header of the answer: n8n's own may be wrong. The service may have
 * noted the beginning of a long submission as the time of creation.
 */
export function listFrom({ headers, tookMs }: Answer, now: number): number {
	const serverTime = Date.parse(headers.date ?? '');
	return Number.isNaN(serverTime)
		? now - tookMs - MARGIN_WITHOUT_DATE_MS
		: serverTime - tookMs - MARGIN_MS;
}

/** Whether the item is to wait. Checks the options, so that nothing is submitted with wrong ones. */
export function waitsForVerdict(item: ItemRun): boolean {
	if (item.options.waitForVerdict !== true) return false;
	waitSeconds(item);
	return true;
}

/**
 * The answer to a submission, completed with the verdict once the scan has finished.
 * @throws NodeApiError when the list of scans cannot be read; UserError when the time is over and
 * the item is to fail then. The item keeps its scan_id either way.
 */
export async function withVerdict(
	item: ItemRun,
	submitted: { body: IDataObject; scanId: string; listFrom: number },
): Promise<IDataObject> {
	const seconds = waitSeconds(item);
	item.makeRoom();
	const outcome = await item.watch.waitFor({
		scanId: submitted.scanId,
		listFrom: submitted.listFrom,
		waitUntil: item.clock.now() + seconds * 1000,
		signal: item.signal,
	});
	if (!outcome.finished && item.options.onTimeout === 'error') {
		throw new UserError(`There was no verdict within ${seconds} seconds`, {
			description: `${outcome.note ?? 'It goes on at the service.'} Raise the option 'Wait Timeout', or look for the scan with Get Many later.`,
		});
	}
	return { ...submitted.body, ...verdictFields(outcome) };
}

/** What waiting adds to a submission. A verdict is given for a finished scan only. */
function verdictFields({ finished, record, note }: WatchOutcome): IDataObject {
	const verdict = finished && record ? recordVerdict(record) : undefined;
	return {
		status: finished ? 'finished' : 'pending',
		verdict: verdict?.word ?? null,
		verdictCode: verdict?.code ?? null,
		scan: record ?? null,
		...(note === undefined ? {} : { note }),
	};
}
