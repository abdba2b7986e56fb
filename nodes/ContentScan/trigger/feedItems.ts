import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { ScanRecord } from '../../../services/scanning/scanRecord';
import { simplifyScan, unknownScan } from '../../../services/scanning/scanRecord';
import { verdictWord } from '../../../services/scanning/verdict';
import type { ScanEvent } from './reading/feedReading';

const NOT_LISTED =
	'This scan did not finish in time, and the list does not show it any more: it was deleted, or the credential or a filter of the trigger was changed.';
const TOO_LATE = 'This scan did not finish in time, and is no longer watched.';

function scanJson(record: ScanRecord, simplify: boolean): IDataObject {
	const simple = simplifyScan(record);
	if (simplify) return simple;
	const { scanId, status, verdict, verdictCode, clean } = simple;
	return { scanId, status, verdict, verdictCode, clean, scan: record };
}

/** What the workflow gets for an event. */
export function eventItem(event: ScanEvent, simplify: boolean): INodeExecutionData {
	const { record, previousCode, created } = event;
	const json: IDataObject = record
		? scanJson(record, simplify)
		: { ...unknownScan(null, 'pending'), createdAt: new Date(created * 1000).toISOString() };
	json.event = event.event;
	if (previousCode !== undefined) json.previousVerdict = verdictWord(previousCode) || null;
	if (event.event === 'unfinished') json.note = record ? TOO_LATE : NOT_LISTED;
	return { json };
}
