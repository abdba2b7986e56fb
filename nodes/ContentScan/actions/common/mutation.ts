import type { IDataObject } from 'n8n-workflow';
import type { OperationKey } from '../../../../services/scanning/operationTable';
import {
	isFinished,
	matchStrength,
	recordVerdict,
	simplifyFound,
	unknownScan,
} from '../../../../services/scanning/scanRecord';
import { isRecord } from '../../../../transport/isRecord';
import type { CallRequest } from '../../../../services/scanning/scanService';
import { heldBackNote } from '../../verdict/heldBackNote';
import { readBackOption } from '../fields/readBackOption';
import type { ItemRun } from '../itemRun';
import { answerOutcome, saysItFailed } from './answerOutcome';
import { mismatch, readScan } from './readScan';
import { reportedFailure } from './reportedFailure';

/** In bytes: no answer that says how an operation went is as long, and reading a longer one takes time. */
const LONGEST_JUDGED = 100_000;

/** When an operation has reached what it is for. */
interface Aim {
	/** Once others know what they are to do later. */
	isForLater?: boolean;
	/** Once the finished scan has this verdict (its code). */
	verdict?: string;
}

/**
 * Runs an operation that changes something about a scan.
 * @returns The scan, of which nothing is known unless it is read afterwards, whether it was done (`null` where
 * neither the answer nor the verdict read afterwards says so clearly, or one denies it), and the answer as sent: its
 * form is not published.
 * @throws UserError when the answer says that it was not done.
 */
export async function runMutation(
	item: ItemRun,
	key: OperationKey,
	request: CallRequest & { scanId: string },
	{ isForLater, verdict }: Aim = {},
): Promise<IDataObject> {
	const readsBack = item.isOn('readBack', readBackOption.displayName);
	// The form of these answers is not published: some services write a sentence.
	const call = { ...item.scans.call(key, request), takesText: true };
	const { body, bytes } = await item.send(call);
	const { scanId } = request;
	const sent = [scanId, ...Object.values(request.values ?? {})];
	const asked = { scanId, sent, isForLater };
	const outcome = bytes > LONGEST_JUDGED ? 'unclear' : answerOutcome(body, asked);
	if (outcome === 'failed') {
		item.mutated = false;
		throw await reportedFailure(item, call, body);
	}
	const showsIt = (record: unknown) => showsVerdict(record, scanId, verdict);
	const says =
		outcome === 'done' || (isRecord(body) && !saysItFailed(body) && showsIt(body) === true);
	item.mutated = says || 'unclear';
	const scan = readsBack ? await readBack(item, scanId, says) : unknownScan(scanId, null);
	const isDone = showsIt(scan.scan) ?? says;
	item.mutated = isDone || 'unclear';
	const doubt = says ? CONTRADICTED : UNCLEAR;
	const notes = isDone ? [scan.note] : [doubt, call.howToCheck, scan.note];
	const note = notes.filter(Boolean).join(' ');
	const answer = (body ?? null) as IDataObject;
	// n8n's table shows the first fields: of a scan that was not read, nothing else is known.
	const first = { scanId: scan.scanId, success: isDone || null };
	return { ...first, ...scan, answer, ...(note && { note }) };
}

const UNCLEAR =
	"The service accepted the call, but its answer does not clearly say that it was carried out: see 'answer'.";

const CONTRADICTED =
	'The service says that it changed the verdict, but the scan, read right afterwards, does not have it.';

/** Whether a scan has the verdict; `undefined` where none is wanted, or this is no finished record of its own. */
function showsVerdict(record: unknown, scanId: string, verdict?: string): boolean | undefined {
	if (!isRecord(record) || matchStrength(record, scanId) !== 'own') return undefined;
	const shown = isFinished(record) ? recordVerdict(record) : undefined;
	return shown && verdict !== undefined ? shown.code === verdict : undefined;
}

/** It does not fail when the scan cannot be read: the operation itself was done. */
async function readBack(item: ItemRun, scanId: string, isDone: boolean): Promise<IDataObject> {
	try {
		const record = await readScan(item, scanId);
		const note = heldBackNote(record);
		const scan = { ...simplifyFound(scanId, record), scan: record, ...(note && { note }) };
		return { ...scan, ...mismatch(record, scanId) };
	} catch (error) {
		const done = isDone ? 'The operation was done, but the' : 'The';
		const note = `${done} scan could not be read afterwards. ${(error as Error).message}`;
		return { ...unknownScan(scanId, null), scan: null, note };
	}
}
