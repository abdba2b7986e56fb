import { UserError } from 'n8n-workflow';
import type { IDataObject } from 'n8n-workflow';
import { isRecord } from '../../../../transport/isRecord';
import type { OperationKey } from '../../../../services/scanning/operationTable';
import {
	recordVerdict,
	simplifyFound,
	unknownScan,
} from '../../../../services/scanning/scanRecord';
import type { CallRequest } from '../../../../services/scanning/scanService';
import { readBackOption } from '../fields/readBackOption';
import type { ItemRun } from '../itemRun';
import { mismatch, readScan } from './readScan';

/**
 * Runs an operation that changes something about a scan.
 * @returns The scan, of which nothing is known unless it is read afterwards, and the answer as sent:
 * its form is not published.
 * @throws UserError when the answer says that it was not done.
 */
export async function runMutation(
	item: ItemRun,
	key: OperationKey,
	request: CallRequest & { scanId: string },
): Promise<IDataObject> {
	const readsBack = item.isOn('readBack', readBackOption.displayName);
	const call = item.scans.call(key, request);
	const { body } = await item.send(call);
	if (reportsFailure(body)) {
		item.mutated = false;
		throw new UserError(`Could not ${call.purpose}: the scanning service reports a failure`, {
			description:
				`It answered: ${item.quoted(JSON.stringify(body))}. ${call.howToCheck ?? ''}`.trim(),
		});
	}
	const done = { success: true, answer: (body ?? null) as IDataObject };
	if (!readsBack) return { ...unknownScan(request.scanId, null), ...done };
	return { ...(await readBack(item, request.scanId)), ...done };
}

const SUCCESS = /^((is|was)?_?success(ful)?|succeeded|ok)$/i;

/** What `success` says of a failure; any other sentence may say the opposite. */
const NO = /^(false|0|$|null|no\b|not\b|unsuccess|fail|error)/i;

const FAILED =
	/^(fail|error|unsuccess|[45]\d\d$|(scan )?not[ _-]?(found|released|allowed|permitted)|no$|could not|you do not|permission denied|unauthori|abort|(rejected|declined|denied|refused|invalid|forbidden|nok)\b)/i;

/** How an answer says that there is no error; anything longer may be one ("no such scan"). */
const NO_ERROR = /^(none|null|false|0|no|ok|n\/a|-|no errors?|success)?\.?$/i;

/** Whether an error says anything: not where all in it is nothing (`{ "count": 0 }`). */
function saysAnything(error: unknown): boolean {
	if (typeof error === 'object' && error !== null) return Object.values(error).some(saysAnything);
	return !NO_ERROR.test(String(error ?? '').trim());
}

/**
 * Whether an answer says that it was not done. No form is published, so beside these words anything
 * may mean a success.
 */
function reportsFailure(body: unknown): boolean {
	if (typeof body === 'string') return FAILED.test(body.trim());
	if (Array.isArray(body)) return body.some(reportsFailure);
	if (!isRecord(body)) return body === false;
	// Of a scan's own record the other fields say how the scan is.
	const isScan =
		recordVerdict(body) !== undefined || 'finished_at' in body || 'full_scan_id' in body;
	return Object.entries(body).some(([key, value]) => {
		if (SUCCESS.test(key)) {
			return typeof value === 'object' ? value === null : NO.test(String(value).trim());
		}
		if (isScan) return false;
		switch (key.toLowerCase()) {
			case 'error':
			case 'errors':
			case 'failed':
			case 'failure':
			case 'error_message':
			case 'errormessage':
			case 'non_field_errors':
				return saysAnything(value);
			case 'accepted':
			case 'done':
			case 'released':
			case 'updated':
				return (
					['boolean', 'number', 'string'].includes(typeof value) && NO.test(String(value).trim())
				);
			case 'state':
			case 'status':
				return typeof value === 'number' ? value >= 400 : reportsFailure(value);
			case 'code':
			case 'statuscode':
			case 'status_code':
				return /^[45]\d\d$/.test(String(value));
			case 'detail':
			case 'message':
			case 'msg':
				return typeof value === 'string' && reportsFailure(value);
			case 'result':
				return typeof value !== 'number' && reportsFailure(value);
			case 'data':
			case 'response':
			case 'results':
				return typeof value === 'object' && reportsFailure(value);
			default:
				return false;
		}
	});
}

/** It does not fail when the scan cannot be read: the operation itself was done. */
async function readBack(item: ItemRun, scanId: string): Promise<IDataObject> {
	try {
		const record = await readScan(item, scanId);
		return { ...simplifyFound(scanId, record), scan: record, ...mismatch(record, scanId) };
	} catch (error) {
		const note = `The operation was done, but the scan could not be read afterwards. ${(error as Error).message}`;
		return { ...unknownScan(scanId, null), scan: null, note };
	}
}
