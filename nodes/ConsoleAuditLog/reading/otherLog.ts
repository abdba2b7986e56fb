import { parsedTime } from '../../../input/parsedTime';
import type { ReadingCredential } from '../../common/polling/credentialMark';
import type { PollState, ResumePoint } from './pollState';
import type { ReadingSettings } from './readingSettings';
import type { ReadSoFar } from './readSoFar';
import type { SeenEntries } from './seenEntries';

/** Whether a reading may be of another log than the one that its position is of. */
export class OtherLog {
	/** Whether the credential is another than the one that the position was read with. */
	readonly isOtherCredential: boolean;
	/** Whether more came than is held: all that remains to be found is whether it is another log. */
	private hasForgotten = false;

	constructor(
		private readonly before: PollState,
		private readonly read: ReadSoFar,
		private readonly seen: SeenEntries,
		credential: ReadingCredential | undefined,
	) {
		this.isOtherCredential = credential?.isOther ?? false;
	}

	/** As long as no entry was met that is remembered. */
	get isPossible(): boolean {
		return this.isOtherCredential && this.showsKnown && !this.seen.foundKnown;
	}

	/**
	 * Whether it is another one: the stretch that is remembered was read without meeting an entry that is.
	 * That no entry came at all tells nothing: a new credential may see some only after a while.
	 * @param noneCanCome Whether none of those that are remembered can be listed any more.
	 */
	isCertain(reachedEnd: boolean, noneCanCome: boolean): boolean {
		const { readTo = -Infinity, hasEntries, serverTime } = this.read;
		const isRead = reachedEnd || readTo > (parsedTime(this.before.since) ?? Infinity);
		return this.isPossible && serverTime !== undefined && isRead && (hasEntries || noneCanCome);
	}

	/**
	 * Whether it is the same log, to be read from the position or from `resume` on: what came before that was
	 * clear is not held any more, or need not be.
	 */
	get mustReadAgain(): boolean {
		const isElsewhere = this.hasForgotten || this.resume !== undefined;
		return isElsewhere && !this.isPossible;
	}

	/**
	 * Where a credential goes on that has changed once more since the log was read again for one that had:
	 * a header may differ at each poll. Without the page token, which is not sent with another credential.
	 */
	get resume(): ResumePoint | undefined {
		const { resume } = this.before;
		if (!this.isOtherCredential || !resume?.isReread) return undefined;
		const { at, token, canRestart } = resume;
		const needsToken = at === undefined || (token !== undefined && !canRestart);
		return needsToken ? undefined : { ...resume, token: undefined };
	}

	/** What is held of new entries that may be another log's: no more than one poll may deliver. */
	holdAtMost({ mostBytes, maxEntries }: ReadingSettings): void {
		const { found, bytes } = this.read;
		if (bytes < mostBytes && found.length <= maxEntries) return;
		this.hasForgotten = true;
		this.read.found = [];
		this.read.bytes = 0;
		this.seen.forgetObserved();
	}

	/**
	 * Whether a reading from the position shows an entry that is remembered, if it is of the same log: one
	 * that is later than all of them does not, where many at one moment or none with a time made it so.
	 */
	private get showsKnown(): boolean {
		const { seen, sinceIsUntold, from } = this.before;
		const begin = parsedTime(from) ?? 0;
		return !sinceIsUntold && seen.some(([last]) => last >= begin);
	}
}
