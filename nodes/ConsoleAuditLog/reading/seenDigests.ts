import { DIGEST_BYTES } from '../../../services/digestOf';

/**
 * Digests of delivered entries as n8n stores them: rows of a time (milliseconds since the epoch) and
 * the digests up to it in base64. A row is the unit in which they are forgotten.
 */
export type PackedDigests = Array<[number, string]>;

/** How many digests are kept: 8 bytes each, in base64 they stay under 256 KB with all else. */
export const DIGEST_BOUNDS = {
	/** Kept at most. */
	all: 20_000,
	/** In one row; only entries of its last moment make it longer. */
	row: 250,
};

/** A delivered entry as it is remembered. */
export interface SeenDigest {
	readonly digest: string;
	/** The entry is not newer than this, in milliseconds since the epoch. */
	time: number;
}

/** Digests that are kept and forgotten together, none of them newer than `last`. */
export interface SeenRow {
	last: number;
	digests: string[];
}

/** Digests in rows, in order of time. Those of one moment share a row. */
export function rowsOf(seen: SeenDigest[]): SeenRow[] {
	const rows: SeenRow[] = [];
	for (const { digest, time } of [...seen].sort((a, b) => a.time - b.time)) {
		const row = rows.at(-1);
		if (row && (row.digests.length < DIGEST_BOUNDS.row || row.last === time)) {
			row.last = time;
			row.digests.push(digest);
		} else {
			rows.push({ last: time, digests: [digest] });
		}
	}
	return rows;
}

/** As n8n stores them. */
export function packDigests(rows: SeenRow[]): PackedDigests {
	return rows.map(({ last, digests }) => [
		last,
		Buffer.from(digests.join(''), 'latin1').toString('base64'),
	]);
}

/** What `packDigests` packed; a part of a digest at the end of a row is left out. */
export function unpackDigests(packed: PackedDigests): SeenDigest[] {
	const seen: SeenDigest[] = [];
	for (const [time, text] of packed) {
		const bytes = Buffer.from(text, 'base64').toString('latin1');
		for (let at = 0; at + DIGEST_BYTES <= bytes.length; at += DIGEST_BYTES) {
			seen.push({ digest: bytes.slice(at, at + DIGEST_BYTES), time });
		}
	}
	return seen;
}
