import type { INodeListSearchItems } from 'n8n-workflow';
import { isRecord } from '../../../transport/isRecord';
import type { ScanRecord } from '../../../services/scanning/scanRecord';
import {
	recordId,
	recordIds,
	representative,
	simplifyFound,
	simplifyScan,
} from '../../../services/scanning/scanRecord';

/** Characters of a name, subject, sender, verdict or ID that the list shows or searches. */
const LONGEST_SHOWN = 200;

/** IDs and recipients that are searched: a record has three, and a hostile one any number. */
const MOST_SEARCHED = 10;

/** A scan in the list, and what it can be found by besides what is shown. */
export interface ListedScan extends INodeListSearchItems {
	more: string;
}

function sampleOf(record: ScanRecord): Record<string, unknown> {
	return isRecord(record.sample) ? record.sample : {};
}

/** The scans of a page. Of several records of one, that counts which counts for the operations, too. */
export function listedOf(records: ScanRecord[]): ListedScan[] {
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

function listed(value: string, record: ScanRecord): ListedScan {
	const { subject, from_address, to_addresses } = sampleOf(record);
	const names = [record.names].flat().filter(isShowable).join(', ');
	const scan = simplifyFound(value, record);
	const verdict = scan.status === 'finished' ? (scan.verdict ?? 'no verdict') : 'pending';
	const title = [names, subject, value].find(isShowable);
	const created = record.created_at;
	const parts = [dayAndTime(created), verdict, title, from_address].filter(isShowable);
	const name = parts.map(shortened).join(' · ');
	const recipients = [to_addresses].flat().slice(0, MOST_SEARCHED);
	const more = [...recordIds(record), created, subject, ...recipients].filter(isShowable);
	return {
		name: isExpression(name) ? `· ${name}` : name,
		value,
		more: more.map(shortened).join(' '),
	};
}

/** Without the year: the editor shows about 40 characters of a scan. */
function dayAndTime(created: unknown): unknown {
	if (!isShowable(created)) return undefined;
	const iso = /^\d{4}-(\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?(Z|[+-]\d\d:?\d\d)?$/;
	const written = iso.exec(shortened(created));
	return written ? `${written[1]} ${written[2]}${written[3] ?? ''}` : created;
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
	if (simplifyScan(record).clean === true) return false;
	const { subject, from_address } = sampleOf(record);
	return !isRecord(record.sample) || Boolean(subject) || Boolean(from_address);
}
