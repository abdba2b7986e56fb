import { parsedTime } from '../../../input/parsedTime';
import type { ReadingCredential } from '../../common/polling/credentialMark';
import type { PollState } from './pollState';
import type { SeenEntries } from './seenEntries';

/** Whether a reading may be of another log than the one that its position is of. */
export class OtherLog {
	/** Whether the credential is another than the one that the position was read with. */
	readonly isOtherCredential: boolean;

	constructor(
		private readonly before: PollState,
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
	 * Whether a reading from the position shows an entry that is remembered, if it is of the same log: one
	 * that is later than all of them does not, where many at one moment or none with a time made it so.
	 */
	private get showsKnown(): boolean {
		const { seen, sinceIsUntold, from } = this.before;
		const begin = parsedTime(from) ?? 0;
		return !sinceIsUntold && seen.some(([last]) => last >= begin);
	}
}
