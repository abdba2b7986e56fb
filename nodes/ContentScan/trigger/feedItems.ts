import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { ScanRecord } from '../../../services/scanning/scanRecord';
import { simplifyScan, unknownScan } from '../../../services/scanning/scanRecord';
import { verdictWord } from '../../../services/scanning/verdict';
import { heldBackNote } from '../verdict/heldBackNote';
import type { ScanEvent } from './reading/scanEvents';

const TOO_LATE = 'This scan did not finish in time, and is no longer watched.';

function notListed(from: number, to: number): string {
	return `A scan created between ${isoOfSecond(from)} and ${isoOfSecond(to)} did not finish in time, and the list does not show it any more: it was deleted, or the credential or a filter of the trigger was changed.`;
}

function wasRefused(created: number, end: number): string {
	return `The service refused every call for the scans created from ${isoOfSecond(created)} to ${isoOfSecond(end)}, while it answered for others. Look them up in the service: this trigger will not deliver them.`;
}

export function isoOfSecond(seconds: number): string {
	return new Date(seconds * 1000).toISOString();
}

function noteOf({ record, created, createdUntil = created, isGap }: ScanEvent): string {
	if (isGap) return wasRefused(created, createdUntil);
	return record ? TOO_LATE : notListed(created, createdUntil);
}

function scanJson(record: ScanRecord, simplify: boolean): IDataObject {
	const simple = simplifyScan(record);
	if (simplify) return simple;
	const { scanId, status, verdict, verdictCode, clean } = simple;
	return { scanId, status, verdict, verdictCode, clean, scan: record };
}

export function eventItem(event: ScanEvent, simplify: boolean): INodeExecutionData {
	const { record, previousCode } = event;
	const json: IDataObject = record ? scanJson(record, simplify) : unknownScan(null, 'pending');
	json.event = event.event;
	if (previousCode !== undefined) json.previousVerdict = verdictWord(previousCode) || null;
	const note = event.event === 'unfinished' ? noteOf(event) : record && heldBackNote(record);
	if (note !== undefined) json.note = note;
	return { json };
}
