import { isRecord } from '../../../../transport/isRecord';
import type { Mark, RememberedScan, RememberedScans } from './rememberedScans';
import { PENDING, TOLD_EXACTLY, UNFINISHED, UNTOLD, isMark } from './rememberedScans';
import { isSecond } from './storedNumber';

/** Rows of `[from, checked, to - from, scans in base64, sought]`, and the marks that the scans point to. */
export interface PackedScans {
	rows: Array<[number, number, number, string, number?]>;
	marks: Mark[];
}

/** 48 bits: among the 18,000 that are remembered at most, no two meet by chance. */
export const SCAN_DIGEST_BYTES = 6;

/** Seconds after the row's `from`, digest, mark: 9 bytes, which are 12 characters. */
const OFFSET_BYTES = 2;
const SCAN_BYTES = OFFSET_BYTES + SCAN_DIGEST_BYTES + 1;
const LARGEST_OFFSET = 0xffff;

/** A service that invents verdicts must not fill the state with them. */
const MOST_MARKS = 100;

interface Row {
	from: number;
	checked: number;
	width: number;
	sought?: number;
	scans: Array<{ digest: string; offset: number; mark: Mark }>;
}

function rowsOf(scans: RememberedScans): Row[] {
	const width = ({ from, to }: RememberedScan) => to - from;
	const sorted = [...scans].sort(
		([, a], [, b]) =>
			a.checked - b.checked ||
			width(a) - width(b) ||
			(a.sought ?? 0) - (b.sought ?? 0) ||
			a.from - b.from,
	);
	const rows: Row[] = [];
	for (const [digest, scan] of sorted) {
		const { from, checked, sought, mark } = scan;
		let row = rows.at(-1);
		const fits =
			row?.checked === checked &&
			row.width === width(scan) &&
			row.sought === sought &&
			from - row.from <= LARGEST_OFFSET;
		if (!row || !fits) rows.push((row = { from, checked, sought, width: width(scan), scans: [] }));
		row.scans.push({ digest, offset: from - row.from, mark });
	}
	return rows;
}

/** As n8n stores them. */
export function packScans(scans: RememberedScans): PackedScans {
	const marks = [PENDING, UNFINISHED, UNTOLD, ...TOLD_EXACTLY];
	const indexOf = (mark: Mark) => {
		const known = marks.indexOf(mark);
		if (known >= 0) return known;
		return marks.length < MOST_MARKS ? marks.push(mark) - 1 : marks.indexOf(UNTOLD);
	};
	const rows = rowsOf(scans).map((row): PackedScans['rows'][number] => {
		const bytes = Buffer.alloc(row.scans.length * SCAN_BYTES);
		row.scans.forEach(({ digest, offset, mark }, index) => {
			const at = index * SCAN_BYTES;
			bytes.writeUInt16BE(offset, at);
			bytes.write(digest, at + OFFSET_BYTES, SCAN_DIGEST_BYTES, 'latin1');
			bytes.writeUInt8(indexOf(mark), at + OFFSET_BYTES + SCAN_DIGEST_BYTES);
		});
		const text = bytes.toString('base64');
		const { from, checked, width, sought } = row;
		return sought === undefined
			? [from, checked, width, text]
			: [from, checked, width, text, sought];
	});
	return { rows, marks };
}

export function isPackedScans(value: unknown): value is PackedScans {
	if (!isRecord(value) || !Array.isArray(value.rows) || !Array.isArray(value.marks)) return false;
	return value.rows.every(isRow) && value.marks.every(isMark);
}

function isRow(row: unknown): boolean {
	if (!Array.isArray(row) || typeof row[3] !== 'string') return false;
	const isBase64 = row[3].length % 12 === 0 && /^[A-Za-z0-9+/]*$/.test(row[3]);
	return isBase64 && [...row.slice(0, 3), ...row.slice(4)].every(isSecond);
}

export function unpackScans({ rows, marks }: PackedScans): RememberedScans {
	const scans: RememberedScans = new Map();
	for (const [start, checked, width, text, sought] of rows) {
		const bytes = Buffer.from(text, 'base64');
		for (let at = 0; at + SCAN_BYTES <= bytes.length; at += SCAN_BYTES) {
			const from = start + bytes.readUInt16BE(at);
			const end = at + OFFSET_BYTES + SCAN_DIGEST_BYTES;
			const digest = bytes.toString('latin1', at + OFFSET_BYTES, end);
			const mark = marks[bytes.readUInt8(end)] ?? PENDING;
			const known = sought === undefined ? {} : { sought };
			scans.set(digest, { from, to: from + width, checked, mark, ...known });
		}
	}
	return scans;
}
