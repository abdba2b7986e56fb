import type { IDataObject } from 'n8n-workflow';
import type { OperationKey } from '../../../../services/scanning/operationTable';
import { simplifyFound, unknownScan } from '../../../../services/scanning/scanRecord';
import type { CallRequest } from '../../../../services/scanning/scanService';
import { readBackOption } from '../fields/readBackOption';
import type { ItemRun } from '../itemRun';
import { answerOutcome } from './answerOutcome';
import { mismatch, readScan } from './readScan';
import { reportedFailure } from './reportedFailure';

/** In bytes: no answer that says how an operation went is as long, and reading a longer one takes time. */
const LONGEST_JUDGED = 100_000;

/**
 * Runs an operation that changes something about a scan.
 * @returns The scan, of which nothing is known unless it is read afterwards, whether it was done (`null` where
 * the answer does not say so clearly), and the answer as sent: its form is not published.
 * @throws UserError when the answer says that it was not done.
 */
export async function runMutation(
	item: ItemRun,
	key: OperationKey,
	request: CallRequest & { scanId: string },
): Promise<IDataObject> {
	const readsBack = item.isOn('readBack', readBackOption.displayName);
	// The form of these answers is not published: some services write a sentence.
	const call = { ...item.scans.call(key, request), takesText: true };
	const { body, bytes } = await item.send(call);
	const sent = Object.values(request.values ?? {});
	const outcome = bytes > LONGEST_JUDGED ? 'unclear' : answerOutcome(body, sent);
	if (outcome === 'failed') {
		item.mutated = false;
		throw reportedFailure(item, call, body);
	}
	const isDone = outcome === 'done';
	if (!isDone) item.mutated = 'unclear';
	const scan = readsBack
		? await readBack(item, request.scanId, isDone)
		: unknownScan(request.scanId, null);
	const notes = isDone ? [scan.note] : [UNCLEAR, call.howToCheck, scan.note];
	const note = notes.filter(Boolean).join(' ');
	const answer = (body ?? null) as IDataObject;
	return { ...scan, success: isDone || null, answer, ...(note && { note }) };
}

const UNCLEAR =
	"The service accepted the call, but its answer does not clearly say that it was carried out: see 'answer'.";

/** It does not fail when the scan cannot be read: the operation itself was done. */
async function readBack(item: ItemRun, scanId: string, isDone: boolean): Promise<IDataObject> {
	try {
		const record = await readScan(item, scanId);
		return { ...simplifyFound(scanId, record), scan: record, ...mismatch(record, scanId) };
	} catch (error) {
		const done = isDone ? 'The operation was done, but the' : 'The';
		const note = `${done} scan could not be read afterwards. ${(error as Error).message}`;
		return { ...unknownScan(scanId, null), scan: null, note };
	}
}
