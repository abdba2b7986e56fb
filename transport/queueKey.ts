import { hash } from 'crypto';

/**
 * Stands in the call queue for an address and whoever calls it: a digest, so that no token stays in
 * memory for it.
 * @param identity The token; the client ID where tokens are renewed.
 */
export function queueKey(origin: string, identity: string[]): string {
	return hash('sha256', JSON.stringify([origin, identity]), 'base64');
}
