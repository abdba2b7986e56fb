import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { UserError } from 'n8n-workflow';
import { enteredBoolean } from '../../../input/enteredBoolean';
import { enteredNumber } from '../../../input/enteredNumber';
import { enteredOption } from '../../../input/enteredOption';
import { believedTime, toldTime } from '../../../services/serverTime';
import type { Answer } from '../../../transport/call';
import type { ItemRun } from '../actions/itemRun';
import type { WaitOutcome } from './verdictWatch';
import { verdictWatchFor } from './verdictWatch';

const TIMEOUT_LABEL = 'Wait Timeout (Seconds)';

/** Defaults in a workflow, and where an AI agent calls the node: it does not wait for minutes. */
const IN_WORKFLOW = { seconds: 300, onTimeout: 'error' } as const;
const AS_TOOL = { seconds: 45, onTimeout: 'item' } as const;

/**
 * How far before the service's own time the list is read, in milliseconds: the clocks of the
 * machines behind one address differ, and `start` counts in seconds.
 */
const MARGIN_MS = 30_000;

/** The same where the answer carried no time that can be true, and n8n's own clock has to do. */
const MARGIN_WITHOUT_DATE_MS = 600_000;

export function waitField(show: Record<string, string[]>): INodeProperties {
	return {
		displayName: 'Wait for Verdict',
		name: 'waitForVerdict',
		type: 'boolean',
		default: true,
		description:
			'Whether to wait until the scan has finished and return its verdict. When off, the item only says that the scan was submitted.',
		displayOptions: { show },
	};
}

export const waitOptions: INodeProperties[] = [
	{
		displayName: 'On Timeout',
		name: 'onTimeout',
		type: 'options',
		options: [
			{
				name: 'Fail',
				value: 'error',
				description:
					'When all other items are done, fail with an error that names every scan ID and verdict known so far',
			},
			{
				name: 'Return the Item',
				value: 'item',
				description: 'Return the item with status "pending" and without a verdict',
			},
		],
		default: 'error',
		description:
			'What to do if the scan is not finished in time. Default: fail; return the item where an AI agent uses the node as a tool.',
	},
	{
		displayName: TIMEOUT_LABEL,
		name: 'waitTimeout',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 300,
		description:
			'How long to wait for the verdict, from the moment the service has accepted the scan. Default: 300; 45 where an AI agent uses the node as a tool.',
	},
];

/** How long an item waits for its verdict, and what if that is not enough. */
export interface WaitSettings {
	seconds: number;
	onTimeout: 'error' | 'item';
}

/**
 * The item's settings for waiting; `undefined`: it does not wait. To be read before anything is sent.
 * @throws UserError for a value that is not usable, also of the credential's path for the list.
 */
export function waitSettings(item: ItemRun): WaitSettings | undefined {
	if (!enteredBoolean(item.parameter('waitForVerdict', true), 'Wait for Verdict')) return undefined;
	const defaults = isTool(item.context) ? AS_TOOL : IN_WORKFLOW;
	const { waitTimeout = defaults.seconds, onTimeout = defaults.onTimeout } = item.options;
	verdictWatchFor(item.scans, item.clock);
	return {
		seconds: enteredNumber(waitTimeout, TIMEOUT_LABEL, { least: 1 }),
		onTimeout: enteredOption(onTimeout, 'On Timeout', ['error', 'item']),
	};
}

/** n8n before 2.x tells it by the context, newer versions by the type that a tool gets. */
function isTool(context: IExecuteFunctions): boolean {
	const { isToolExecution } = context as Partial<IExecuteFunctions>;
	return isToolExecution?.call(context) === true || context.getNode().type.endsWith('Tool');
}

/**
 * From when on the list has to be read to find a scan, in milliseconds of the service's clock. That
 * clock comes from the `date` header of the answer: n8n's own may be wrong. The service may have
 * noted the beginning of a long submission as the time of creation.
 */
export function listFrom(answer: Answer, now: number): number {
	const serverTime = believedTime(toldTime(answer), now);
	return serverTime === undefined
		? now - answer.tookMs - MARGIN_WITHOUT_DATE_MS
		: serverTime - answer.tookMs - MARGIN_MS;
}

/** There is no verdict in time, and the item is to fail then: once all others are done. */
export class NoVerdict extends UserError {}

/** The error of an item without a verdict: why, and what to do. */
export function noVerdict(
	{ seconds }: WaitSettings,
	{ issue }: WaitOutcome,
	note: string | undefined,
): NoVerdict {
	const unit = seconds === 1 ? 'second' : 'seconds';
	const message = issue.unlisted
		? 'The scan was submitted, but its verdict cannot be found'
		: `There was no verdict within ${seconds} ${unit}`;
	const advice = issue.unlisted
		? ''
		: `The scan is still running: raise '${TIMEOUT_LABEL}', or read it later with Get or Get Many.`;
	return new NoVerdict(message, { description: [note, advice].filter(Boolean).join(' ') });
}

/** Waits for the verdict of a scan that was submitted; the next item takes this one's slot. */
export async function awaitVerdict(
	item: ItemRun,
	{ seconds }: WaitSettings,
	scanId: string,
	answer: Answer,
): Promise<WaitOutcome> {
	item.releaseSlot();
	return await verdictWatchFor(item.scans, item.clock).waitFor({
		scanId,
		listFrom: listFrom(answer, item.clock.now()),
		waitUntil: item.clock.monotonic() + seconds * 1000,
		signal: item.signal,
		secrets: item.secrets,
		scans: item.scans,
		context: () => item.callContext(),
	});
}
