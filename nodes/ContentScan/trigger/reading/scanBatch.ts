import { SCAN_DIGEST_BYTES } from './packedScans';
import { isSecond } from './storedNumber';

/** A batch on its way to the workflow, as it is remembered in case it has to come again. */
interface ScanBatch {
	/** The latest time of the poll that read it, in epoch seconds. */
	end: number;
	/** Digests of its scans: they come again even where their verdict is one that was not chosen. */
	digests: ReadonlySet<string>;
}

/** Digests of scans as n8n stores them. */
export function packScanDigests(digests: Iterable<string>): string {
	return Buffer.from([...digests].join(''), 'latin1').toString('base64');
}

export function unpackScanDigests(text: string): Set<string> {
	const bytes = Buffer.from(text, 'base64').toString('latin1');
	const digests = new Set<string>();
	for (let at = 0; at + SCAN_DIGEST_BYTES <= bytes.length; at += SCAN_DIGEST_BYTES) {
		digests.add(bytes.slice(at, at + SCAN_DIGEST_BYTES));
	}
	return digests;
}

/** As n8n stores it. */
export function packBatch({ end, digests }: ScanBatch): string {
	return `${end} ${packScanDigests(digests)}`;
}

/** @returns `undefined` for none, or one that cannot be read: what follows the position comes then. */
export function unpackBatch(packed = ''): ScanBatch | undefined {
	const [end, text = ''] = packed.split(' ');
	if (end === '' || !isSecond(Number(end))) return undefined;
	return { end: Number(end), digests: unpackScanDigests(text) };
}
