import { hash } from 'crypto';
import { LONGEST_HASHED } from '../transport/longestHashed';

/** 64 bits: no two entries of a log meet by chance. Changing it invalidates what is stored. */
export const DIGEST_BYTES = 8;

/** So many bytes of a SHA-256, one character each. */
export function digestOf(text: string, bytes = DIGEST_BYTES): string {
	// In one call and straight to text: a hash that is an object, or a buffer in between, costs three times as much.
	return hash('sha256', text, 'binary').slice(0, bytes);
}

/**
 * A text that a service chose, as a key of a `Map`: without collisions, however long it is. A number must
 * become a text first, since V8 hashes numbers in a way that can be foreseen.
 */
export function keyOf(text: string): string {
	return text.length > LONGEST_HASHED ? digestOf(text, 32) : text;
}
