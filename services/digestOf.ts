import { hash } from 'crypto';

/** 64 bits: no two entries of a log meet by chance. Changing it invalidates what is stored. */
export const DIGEST_BYTES = 8;

/** So many bytes of a SHA-256, one character each. */
export function digestOf(text: string, bytes = DIGEST_BYTES): string {
	// In one call and straight to text: a hash that is an object, or a buffer in between, costs three times as much.
	return hash('sha256', text, 'binary').slice(0, bytes);
}
