import { UserError } from 'n8n-workflow';
import { shown } from '../../../../input/enteredValues';
import type { ScanRecord } from '../../../../services/scanning/scanRecord';
import { simplifyFound } from '../../../../services/scanning/scanRecord';
import type { Answer } from '../../../../transport/call';
import { placeInList } from '../../verdict/placeInList';
import type { VerdictLookups } from '../../verdict/verdictLookups';
import { verdictLookupsFor } from '../../verdict/verdictLookups';
import type { WaitOutcome } from '../../verdict/waitingScan';
import { TIMEOUT_LABEL } from '../fields/waitFields';
import type { ItemRun } from '../itemRun';
import type { WaitSettings } from './waitSettings';
import { waitSettings } from './waitSettings';

export class NoVerdictError extends UserError {}

export async function noVerdictError(
	item: ItemRun,
	{ seconds }: WaitSettings,
	{ issue, record }: WaitOutcome,
	note: string | undefined,
): Promise<NoVerdictError> {
	const unit = seconds === 1 ? 'second' : 'seconds';
	const message = issue.notFound
		? 'The scan was submitted, but its verdict cannot be found'
		: `There was no verdict within ${seconds} ${unit}`;
	const sentences = [
		note,
		record && !issue.failure && (await stateOf(item, record)),
		!issue.notFound && `Raise '${TIMEOUT_LABEL}', or read the scan later with Get or Get Many.`,
	];
	return new NoVerdictError(message, { description: sentences.filter(Boolean).join(' ') });
}

/** What the service says of a scan without a verdict: it may have failed. */
async function stateOf(item: ItemRun, { status }: ScanRecord): Promise<string> {
	if (typeof status !== 'string' || status === '' || /run/i.test(status)) {
		return 'The scan is still running.';
	}
	return `The service shows the scan with the status ${shown(await item.quoted(status))}.`;
}

interface VerdictWait extends WaitSettings {
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
		// However the wait ends: perhaps only the long ID finds the scan again.
		onSeen: (listedId, record) => {
			item.known.scanId = simplifyFound(listedId, record).scanId;
		},
	});
}
