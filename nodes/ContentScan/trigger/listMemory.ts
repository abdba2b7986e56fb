import { BegunWindows } from './begunWindows';
import { PageLimit } from './pageLimit';
import { Silences } from './silences';

/** What the polls of a trigger leave to the next ones of how its list can be read. */
export class ListMemory {
	readonly begun = new BegunWindows();
	readonly silences = new Silences();
	readonly pageLimit = new PageLimit();
	/** By how many seconds the times of its scans are ahead of the monotonic clock: the system clock may be wrong. */
	ahead = -Infinity;

	beginPoll(): void {
		this.begun.nextPoll();
		this.silences.beginPoll();
	}
}
