import type { IDataObject } from 'n8n-workflow';
import type { Body, Call } from '../../../../transport/call';
import { isRecord } from '../../../../transport/isRecord';
import type { ItemRun } from '../itemRun';
import type { OperationKey } from '../../../../services/scanning/operationTable';
import { listFrom, waitsForVerdict, withVerdict } from '../../verdict/waitForVerdict';

/** The id in the answer to a submission: an integer (interface.md, Scan), text in some samples. */
function submittedId(body: unknown): string | undefined {
	if (!isRecord(body)) return undefined;
	const id = body.scan_id;
	if (typeof id !== 'number' && typeof id !== 'string') return undefined;
	return String(id).trim() || undefined;
}

/** What the service might echo in an error, and must not be read there. */
function secretsIn(body: Body): string[] {
	if (body.type === 'json') return [];
	const { file_password = '', callback_headers = '{}' } = body.fields;
	return [file_password, ...Object.values(JSON.parse(callback_headers) as Record<string, string>)];
}

/**
 * Submits a file or URL and, where the item says so, waits for the verdict.
 * @returns The service's answer unchanged, with the verdict's fields when it was waited for.
 * @throws NodeApiError as `Service.send`, and when the answer holds no scan_id.
 */
export async function submit(item: ItemRun, key: OperationKey, body: Body): Promise<IDataObject[]> {
	const waits = waitsForVerdict(item);
	const call: Call = { ...item.scans.call(key, { body }), secrets: secretsIn(body) };
	const answer = await item.send(call);
	const scanId = submittedId(answer.body);
	if (scanId === undefined || !isRecord(answer.body)) {
		throw item.scans.service.wrongShape(call, 'there is no scan_id', item.itemIndex);
	}
	item.known = { scan_id: answer.body.scan_id };
	if (!waits) return [answer.body];
	const from = listFrom(answer, item.clock.now());
	return [await withVerdict(item, { body: answer.body, scanId, listFrom: from })];
}
