import { isLasting, isTokenRefused } from './lookupFailure';

/** So long nothing but refusals of the token ends a wait, in milliseconds: a gateway may just start. */
const TOKEN_REFUSED_MS = 30_000;

/** The same of any refusals: a gateway in maintenance gives them, too, and the user has said how long to wait. */
const REFUSED_MS = 300_000;

/** Since when all lookups of the list were refused, and whether that is for good, as it seems. */
export class Refusals {
	private since?: number;
	private tokenSince?: number;

	/**
	 * @param failure Of the last lookup, if it failed.
	 * @param at When that began, in milliseconds of the monotonic clock.
	 */
	note(failure: Error | undefined, at: number): void {
		const [isRefused, isOfToken] = [isLasting, isTokenRefused].map((is) => failure && is(failure));
		this.since = isRefused ? (this.since ?? at) : undefined;
		this.tokenSince = isOfToken ? (this.tokenSince ?? at) : undefined;
	}

	areForGood(at: number): boolean {
		const ofToken = at - (this.tokenSince ?? at) >= TOKEN_REFUSED_MS;
		return ofToken || at - (this.since ?? at) >= REFUSED_MS;
	}

	forget(): void {
		this.note(undefined, 0);
	}
}
