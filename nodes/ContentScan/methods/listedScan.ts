import type { INodeListSearchItems } from 'n8n-workflow';
import { isRecord } from '../../../transport/isRecord';
import type { ScanRecord } from '../../../services/scanning/scanRecord';
import { isFinished, recordId, recordVerdict } from '../../../services/scanning/scanRecord';

/** Characters of a name, subject, sender or verdict that the list shows. */
const LONGEST_SHOWN = 200;

function sampleOf(record: ScanRecord): Record<string, unknown> {
	return isRecord(record.sample) ? record.sample : {};
}

export function listed(record: ScanRecord): INodeListSearchItems | undefined {
	const value = recordId(record);
	if (value === undefined || isExpression(value)) return undefined;
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
