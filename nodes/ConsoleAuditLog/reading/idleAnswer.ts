import type { PageCall } from '../../../services/console/auditLogPage';
import { CLOCK_STEP_MS } from './readSoFar';

/** The answer of a poll that held nothing new and left the position as it was: once more, it does so again. */
export interface IdleAnswer {
	/** What the reading began with. */
	beginning: string;
	call: string;
	/** Of the answer. */
	digest: string;
	/** The server's time when it was asked, in milliseconds. */
	asOf: number;
}

/** Whether a poll's one answer is that of the poll before, so that its page need not be opened. */
export class IdleCheck {
	/** Whether it is. */
	isRepeated = false;
	/** Whether it tells something new all the same, by its time. */
	private tellsMore = false;
	private answer: Pick<IdleAnswer, 'call' | 'digest'> | undefined;

	constructor(private readonly last: IdleAnswer | undefined) {}

	/** Digest of the answer to `call` that would hold nothing new. */
	digestFor(call: PageCall | undefined, beginning: () => string): string | undefined {
		const { last } = this;
		if (last === undefined || this.tellsMore) return undefined;
		return JSON.stringify(call) === last.call && beginning() === last.beginning
			? last.digest
			: undefined;
	}

	/**
	 * It came once more.
	 * @param asOf The server's time when it was asked, in milliseconds.
	 * @param tellsMore Whether that time tells something new.
	 */
	repeated(asOf: number, tellsMore: boolean): void {
		this.tellsMore = tellsMore || asOf < this.last!.asOf - CLOCK_STEP_MS;
		this.isRepeated = !this.tellsMore;
	}

	/** @param digest Of the answer, if it is the first of the poll. */
	took(call: PageCall, digest: string | undefined): void {
		this.answer = digest === undefined ? undefined : { call: JSON.stringify(call), digest };
	}

	/** What the next poll is to know of this one, which has read to the server's time `asOf`. */
	next(asOf: number, wasIdle: boolean, beginning: () => string): IdleAnswer | undefined {
		if (this.isRepeated) return { ...this.last!, asOf: Math.max(this.last!.asOf, asOf) };
		return wasIdle && this.answer ? { beginning: beginning(), ...this.answer, asOf } : undefined;
	}
}
