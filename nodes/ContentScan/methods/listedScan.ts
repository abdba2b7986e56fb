import type { INodeListSearchItems } from 'n8n-workflow';
import { isRecord } from '../../../transport/isRecord';
import type { ScanRecord } from '../../../services/scanning/scanRecord';
import {
	isFinished,
	recordId,
	recordVerdict,
	representative,
} from '../../../services/scanning/scanRecord';

/** Characters of a name, subject, sender or verdict that the list shows. */
const LONGEST_SHOWN = 200;

function sampleOf(record: ScanRecord): Record<string, unknown> {
	return isRecord(record.sample) ? record.sample : {};
}

/** The scans of a page. Of several records of one, that counts which counts for the operations, too. */
export function listedOf(records: ScanRecord[]): INodeListSearchItems[] {
	const byId = new Map<string, ScanRecord[]>();
	for (const record of records) {
		const id = recordId(record);
		if (id === undefined || isExpression(id)) continue;
		const same = byId.get(id);
		if (same) same.push(record);
		else byId.set(id, [record]);
	}
	return [...byId].map(([id, same]) => listed(id, representative(same, id) ?? same[0]));
}

function listed(value: string, record: ScanRecord): INodeListSearchItems {
	const { subject, from_address } = sampleOf(record);
	const names = [record.names].flat().filter(isShowable).join(', ');
	const verdict = isFinished(record) ? (recordVerdict(record)?.word ?? 'no verdict') : 'pending';
	const title = [names, subject, value].find(isShowable);
	const parts = [timeOfDay(record.created_at), verdict, title, from_address].filter(isShowable);
	const name = parts.map(shortened).join(' · ');
	return { name: isExpression(name) ? `· ${name}` : name, value };
}

/** The editor shows about 40 characters of a scan, and these are all of the same 24 hours. */
function timeOfDay(created: unknown): unknown {
	if (!isShowable(created)) return undefined;
	const written = /T(\d\d:\d\d:\d\d)(?:\.\d+)?(Z|[+-]\d\d:?\d\d)?$/.exec(shortened(created));
	return written ? written[1] + (written[2] ?? '') : created;
}

/** Name and ID of what is chosen are stored in the workflow, where n8n would work them out. */
function isExpression(text: string): boolean {
	return text.startsWith('=');
}

/** Of an object nothing can be shown, and one that hides how it becomes text would stop the list. */
function isShowable(value: unknown): boolean {
	return (typeof value === 'string' || typeof value === 'number') && Boolean(value);
}

function shortened(part: unknown): string {
	const text = String(part);
	return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
}

/** Not what is clean, nor what is no email. What a record says of the quarantine is not published. */
export function mayBeInQuarantine(record: ScanRecord): boolean {
	if (isFinished(record) && recordVerdict(record)?.word === 'clean') return false;
	const { subject, from_address } = sampleOf(record);
	return !isRecord(record.sample) || Boolean(subject) || Boolean(from_address);
}
