import { hash } from 'crypto';

/** 64 bits: no two entries of a log meet by chance. Changing it invalidates what is stored. */
export const DIGEST_BYTES = 8;

/** So many bytes of a SHA-256, one character each. */
export function digestOf(text: string, bytes = DIGEST_BYTES): string {
	// In one call and straight to text: a hash that is an object, or a buffer in between, costs three times as much.
	return hash('sha256', text, 'binary').slice(0, bytes);
}

/** Most characters of a key that is kept as it is: more than any usual ID has. */
const LONGEST_KEPT = 100;

/**
 * A text that a service chose, as a key of a `Map`: however long it is, it takes little memory and has no
 * collisions (V8's: see `LONGEST_HASHED`). A number must become a text first, since V8 hashes numbers in a
 * way that can be foreseen.
 */
export function keyOf(text: string): string {
	return text.length > LONGEST_KEPT ? digestOf(text, 32) : text;
}
