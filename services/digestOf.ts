import { createHash } from 'crypto';

/** 64 bits: no two entries of a log meet by chance. Changing it invalidates what is stored. */
export const DIGEST_BYTES = 8;

/** So many bytes of a SHA-256, one character each. */
export function digestOf(text: string, bytes = DIGEST_BYTES): string {
	// Straight to text: a buffer in between costs twice the hash.
	return createHash('sha256').update(text).digest('binary').slice(0, bytes);
}
