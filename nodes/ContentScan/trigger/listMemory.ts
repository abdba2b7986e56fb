import { BegunWindows } from './begunWindows';
import { PageLimit } from './pageLimit';
import { Silences } from './silences';

/** What the polls of a trigger leave to the next ones of how its list can be read. */
export class ListMemory {
	readonly begun = new BegunWindows();
	readonly silences = new Silences();
	readonly pageLimit = new PageLimit();

	beginPoll(): void {
		this.begun.nextPoll();
		this.silences.beginPoll();
	}
}
