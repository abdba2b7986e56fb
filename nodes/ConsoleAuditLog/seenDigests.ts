import { DIGEST_BYTES } from './auditLogEntry';

/**
 * Digests of delivered entries, packed: one row for each step of time, holding the step's last
 * millisecond and the digests of that step in base64. A row is the unit in which they are forgotten.
 */
export type PackedDigests = Array<[number, string]>;

/** Digests kept at most: 8 bytes each, in base64 they stay under 256 KB with all else. */
export const MOST_DIGESTS = 20_000;

/** A delivered entry as it is remembered. */
export interface SeenDigest {
	digest: string;
	/** Milliseconds since the epoch; read back from a state, the end of its step. */
	time: number;
}

/** Steps in one lookback: rows few enough to cost nothing, short enough to forget in time. */
const STEPS_PER_LOOKBACK = 20;

const SHORTEST_STEP_MS = 1000;

/** Length of a step, in milliseconds. */
export function stepOf(lookbackMs: number): number {
	return Math.max(SHORTEST_STEP_MS, Math.ceil(lookbackMs / STEPS_PER_LOOKBACK));
}

/** The last millisecond of the step in which a time falls. The end of a step is its own end. */
export function stepEnd(time: number, step: number): number {
	return Math.ceil(time / step) * step;
}

export function packDigests(seen: Iterable<SeenDigest>, step: number): PackedDigests {
	const rows = new Map<number, string[]>();
	for (const { digest, time } of seen) {
		const end = stepEnd(time, step);
		const row = rows.get(end);
		if (row) row.push(digest);
		else rows.set(end, [digest]);
	}
	return [...rows]
		.sort(([a], [b]) => a - b)
		.map(([end, digests]) => [end, Buffer.from(digests.join(''), 'latin1').toString('base64')]);
}

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
