import type { PageCall } from '../../../services/console/auditLogPage';
import { digestOf } from '../../../services/digestOf';

/**
 * In how many polls a page token has to fail before it is left, where without it entries that are no
 * longer remembered would come again: most failures pass.
 */
const TRIES = 3;

/** What polls of this process learned of stored page tokens. */
export interface TokenMemory {
	/** Digest of one that failed, unless the service failed without it as well. */
	refused?: string;
	/** In how many polls the stored one has failed since a page was last read. */
	failures: number;
}

/** The page token that an earlier poll has stored for this one to go on with, if it has. */
export class StoredToken {
	constructor(
		private readonly token: string | undefined,
		private known: TokenMemory = { failures: 0 },
	) {}

	/** @param hasRead Whether the poll has read a page. */
	memory(hasRead: boolean): TokenMemory {
		return hasRead ? { ...this.known, failures: 0 } : this.known;
	}

	isOf(call: PageCall | undefined): boolean {
		return this.token !== undefined && call?.pageToken === this.token;
	}

	get isRefused(): boolean {
		return this.token !== undefined && digestOf(this.token) === this.known.refused;
	}

	/** Notes a failure that may pass. Whether the poll is to fail, too, and not to go on without the token. */
	mayPass(): boolean {
		this.known = { ...this.known, failures: this.known.failures + 1 };
		return this.known.failures < TRIES;
	}

	refuse(): void {
		this.known = { ...this.known, refused: digestOf(this.token!) };
	}

	/** The service fails without it as well: that says nothing against the token. */
	pardon(): void {
		this.known = { ...this.known, refused: undefined };
	}

	/** A page names this token again. */
	cameAgain(token: string | undefined): void {
		if (token !== undefined && digestOf(token) === this.known.refused) this.pardon();
	}
}
