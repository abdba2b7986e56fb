import type { IDataObject } from 'n8n-workflow';
import type { ScanRecord, SimpleScan } from '../../../../services/scanning/scanRecord';
import { heldBackNote } from '../../verdict/heldBackNote';

export interface ScanDetails {
	submittedId?: string;
	/** The service's answer to the submission, as sent. */
	answer?: unknown;
	record?: ScanRecord;
	note?: string;
	simplify: boolean;
}

export function scanOutput(scan: SimpleScan, details: ScanDetails): IDataObject {
	const { submittedId, answer, record, simplify } = details;
	const note = [details.note, record && heldBackNote(record)].filter(Boolean).join(' ');
	const more = note === '' ? {} : { note };
	if (simplify) return { ...scan, ...(submittedId !== undefined && { submittedId }), ...more };
	const { scanId, status, verdict, verdictCode, clean } = scan;
	const raw = { scanId, status, verdict, verdictCode, clean };
	const sent = answer === undefined ? {} : { answer: answer as IDataObject };
	return { ...raw, ...sent, scan: record ?? null, ...more };
}
