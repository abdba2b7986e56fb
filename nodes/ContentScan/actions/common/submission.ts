import type { Body } from '../../../../transport/call';
import { serverMessage } from '../../../../transport/errors/serverMessage';
import { isRecord } from '../../../../transport/isRecord';
import type { OperationKey } from '../../../../services/scanning/operationTable';
import type { SimpleScan } from '../../../../services/scanning/scanRecord';
import { simplifyFound, unknownScan } from '../../../../services/scanning/scanRecord';
import { LONGEST_ID, writtenId } from '../../../../services/scanning/writtenId';
import type { WaitOutcome } from '../../verdict/waitingScan';
import { issueNote } from '../../verdict/waitIssue';
import type { ItemRun, OperationResult } from '../itemRun';
import { refusesSubmission } from './answerOutcome';
import { reportedFailure } from './reportedFailure';
import type { ScanDetails } from './scanOutput';
import { scanOutput } from './scanOutput';
import { noVerdictError, verdictWait, waitForVerdict } from './waitForVerdict';

/** The ID in the answer to a submission: an integer (docs/interface.md, Scan), text in some samples. */
function submittedId(body: unknown): string | undefined {
	return isRecord(body) ? writtenId(body.scan_id) : undefined;
}

export type SubmissionBody = Exclude<Body, { type: 'json' }>;

/** What the service might echo in an error, and must not be read there. */
function secretsIn(body: SubmissionBody): string[] {
	const { file_password = '', callback_headers = '{}' } = body.fields;
	return [file_password, ...Object.values(JSON.parse(callback_headers) as Record<string, string>)];
}

/**
 * Submits a file or URL and, unless the item says otherwise, waits for the verdict.
 * @throws NodeApiError as `Service.send`, and when the answer holds no scan_id; UserError when it reports a
 * failure; NoVerdictError when the verdict does not come in time and the item is to fail then.
 */
export async function submit(
	item: ItemRun,
	key: OperationKey,
	body: SubmissionBody,
): Promise<OperationResult> {
	const wait = verdictWait(item);
	const { simplify } = item;
	item.secrets = secretsIn(body);
	const call = item.scans.call(key, { body });
	const answer = await item.send(call);
	const id = submittedId(answer.body);
	if (id === undefined) {
		// The error says that it is not certain.
		item.mutated = false;
		const flaw = `there is no scan_id of at most ${LONGEST_ID} characters`;
		const quote = await item.quoted(serverMessage(answer.body) ?? '');
		throw await item.scans.service.wrongShape(call, flaw, item.itemIndex, quote);
	}
	if (isRecord(answer.body) && refusesSubmission(answer.body)) {
		item.known = { scanId: id };
		item.mutated = false;
		throw await reportedFailure(item, call, answer.body, id);
	}
	item.known = { scanId: id, submittedId: id };
	// It may have megabytes, and the wait may be long.
	if (simplify) answer.body = undefined;
	const { binaryField } = item.task;
	const output = (scan: SimpleScan, more: Pick<ScanDetails, 'record' | 'note'> = {}) => ({
		...item.carried,
		...scanOutput(scan, { submittedId: id, answer: answer.body, simplify, ...more }),
		...(binaryField !== undefined && { binaryField }),
	});
	if (!wait) {
		item.noVerdict = 'notWaited';
		return output(unknownScan(id, 'submitted'));
	}
	const outcome = await waitForVerdict(item, wait, id, answer);
	const note = noteOf(outcome);
	if (!outcome.finished) {
		if (wait.onTimeout === 'error') throw await noVerdictError(item, wait, outcome, note);
		item.noVerdict = 'timedOut';
	}
	const { record, listedId } = outcome;
	const scan = record ? simplifyFound(listedId, record) : unknownScan(id, 'pending');
	item.known = { ...item.known, scanId: scan.scanId, verdict: scan.verdict };
	return output(scan, { record, note });
}

function noteOf({ issue, part }: WaitOutcome): string | undefined {
	const sentences = [issueNote(issue), part && 'The verdict is that of its most harmful part.'];
	return sentences.filter(Boolean).join(' ') || undefined;
}
