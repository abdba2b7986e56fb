import { UserError } from 'n8n-workflow';
import { shown } from '../../../input/enteredValues';
import type { ScanRecord } from '../../../services/scanning/scanRecord';
import { believedTime, toldTime } from '../../../services/serverTime';
import type { Answer } from '../../../transport/call';
import type { ItemRun } from '../actions/itemRun';
import type { ListedScan } from './listLookup';
import type { VerdictLookups } from './verdictLookups';
import { verdictLookupsFor } from './verdictLookups';
import { TIMEOUT_LABEL } from '../actions/fields/waitFields';
import type { WaitSettings } from './waitSettings';
import { waitSettings } from './waitSettings';
import type { WaitOutcome } from './waitingScan';

/**
 * How far before and after the service's own time a scan may be noted as created, in milliseconds:
 * the clocks of the machines behind one address differ, `start` counts in seconds, and a scan may be
 * noted somewhat after its submission was answered.
 */
const MARGINS_MS = { before: 30_000, after: 120_000 };

/** The same where the answer carried no time that can be true, and n8n's own clock has to do. */
const MARGINS_WITHOUT_DATE_MS = { before: 600_000, after: 600_000 };

/**
 * Where in the list a scan may lie, in milliseconds of the service's clock. That clock comes
 * from the `date` header of the answer: n8n's own may be wrong. The service may have noted the
 * beginning of a long submission as the time of creation.
 */
export function placeInList(answer: Answer, now: number): Omit<ListedScan, 'scanId'> {
	const serverTime = believedTime(toldTime(answer), now);
	const time = serverTime ?? now;
	const { before, after } = serverTime === undefined ? MARGINS_WITHOUT_DATE_MS : MARGINS_MS;
	return { listFrom: time - answer.tookMs - before, listTo: time + after };
}

export class NoVerdictError extends UserError {}

export function noVerdictError(
	{ seconds }: WaitSettings,
	{ issue, record }: WaitOutcome,
	note: string | undefined,
	quoted: (text: string) => string,
): NoVerdictError {
	const unit = seconds === 1 ? 'second' : 'seconds';
	const message = issue.unlisted
		? 'The scan was submitted, but its verdict cannot be found'
		: `There was no verdict within ${seconds} ${unit}`;
	const sentences = [
		note,
		record && !issue.failure && stateOf(record, quoted),
		!issue.unlisted && `Raise '${TIMEOUT_LABEL}', or read the scan later with Get or Get Many.`,
	];
	return new NoVerdictError(message, { description: sentences.filter(Boolean).join(' ') });
}

/** What the service says of a scan without a verdict: it may have failed. */
function stateOf({ status }: ScanRecord, quoted: (text: string) => string): string {
	if (typeof status !== 'string' || status === '' || /run/i.test(status)) {
		return 'The scan is still running.';
	}
	return `The service shows the scan with the status ${shown(quoted(status))}.`;
}

export interface VerdictWait extends WaitSettings {
	lookups: VerdictLookups;
}

/**
 * How the item waits for its verdict; `undefined`: it does not. To be read before anything is sent.
 * @throws UserError for a field, or a path of the credential, that is not usable.
 */
export function verdictWait(item: ItemRun): VerdictWait | undefined {
	const settings = waitSettings(item);
	return settings && { ...settings, lookups: verdictLookupsFor(item.scans, item.clock) };
}

/** Waits for the verdict of a scan that was submitted; the next item takes this one's slot. */
export async function waitForVerdict(
	item: ItemRun,
	{ seconds, lookups }: VerdictWait,
	scanId: string,
	answer: Answer,
): Promise<WaitOutcome> {
	item.releaseSlot();
	return await lookups.waitFor({
		scanId,
		...placeInList(answer, item.clock.now()),
		waitUntil: item.clock.monotonic() + seconds * 1000,
		signal: item.signal,
		secrets: item.secrets,
		scans: item.scans,
	});
}
