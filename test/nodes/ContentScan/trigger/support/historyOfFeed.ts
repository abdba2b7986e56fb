import type { WatchSettings } from '../../../../../nodes/ContentScan/trigger/reading/scanEvents';
import type { Delivered } from './lifeOfFeed';
import { LifeOfFeed, START } from './lifeOfFeed';
import type { ModelScan, PageFault, Traits } from './scanListTraits';
import { ModelScanList } from './modelScanList';
import { listTimes, verdictAt } from './scanListTraits';

/** One poll, and what n8n and the workflow make of it. */
export interface FeedStep {
	/** Seconds since the last one. */
	after: number;
	/** n8n is killed before it; the workflow fails with what it gets; the user starts over. */
	fate: 'carriesOn' | 'isKilled' | 'fails' | 'startsOver';
	/** By how much n8n's clock is ahead of the service's, in seconds. */
	n8nAhead: number;
	/** Calls of the list that others with the same token have made. */
	rivals: number;
	/** For the calls of the poll, one after the other. */
	faults: PageFault[];
}

export interface FeedHistory {
	traits: Traits;
	scans: ModelScan[];
	chosen: string[];
	settings: Omit<WatchSettings, 'isChosen' | 'tellsUnfinished'>;
	callsPerMinute: number;
	savesSilentPolls: boolean;
	steps: FeedStep[];
}

/** Longest time between two looks at a scan, in seconds, where polls come every few minutes. */
const LATEST_LOOK = 1800;
/** No scan of a history is submitted later after its start. */
export const LAST_SCAN = 3600;
/** Seconds between polls once all is well. */
const CALM_POLL = 240;
/** Polls that are ample for a few scans, whatever the service. */
const MOST_POLLS = 1000;
/** Polls after the last one in which anything is due. */
const LAST_TURNS = 5;
/** Calls that one second of the list may take, which are paid for afterwards. */
const MOST_AT_ONCE = 110;

/** Lives through a history as n8n would, and checks what must hold for every service. */
export class HistoryOfFeed {
	private readonly list: ModelScanList;
	private readonly life: LifeOfFeed;
	private start = START;

	constructor(private readonly history: FeedHistory) {
		const { scans, traits, callsPerMinute, savesSilentPolls, settings } = history;
		this.list = new ModelScanList(scans, traits, callsPerMinute);
		const tellsUnfinished = this.isChosen('');
		const feed = { ...settings, isChosen: (code: string) => this.isChosen(code), tellsUnfinished };
		this.life = new LifeOfFeed(this.list, feed, savesSilentPolls);
	}

	async run(): Promise<void> {
		let time = START;
		for (const step of this.history.steps) {
			time = this.nextPoll(time, step.after);
			await this.step(step, time);
		}
		this.list.nextFault = () => 'none';
		await this.getWell(time);
		const { scans } = this.history;
		for (const scan of scans) {
			this.check(
				scan,
				this.life.delivered.filter(({ id }) => id === scan.id),
			);
		}
		const owed = scans.find((scan) => this.life.owed.has(scan.id) && !this.isHidden(scan));
		if (owed) throw new Error(`${owed.id} never came again after the workflow failed`);
		const unknown = ({ id, refused }: Delivered) => id === undefined && !refused;
		const mayBeUnknown = this.life.hadGaps || scans.some((scan) => this.moves(scan));
		if (!mayBeUnknown && this.life.delivered.some(unknown))
			throw new Error('told of an unknown scan');
	}

	private nextPoll(time: number, after: number): number {
		return Math.max(time + after, Math.ceil(this.list.now / 1000));
	}

	private async step({ fate, rivals, faults, n8nAhead }: FeedStep, time: number): Promise<void> {
		const { list, life } = this;
		if (fate === 'isKilled') life.restart();
		if (fate === 'startsOver') {
			this.start = time;
			life.startOver(time);
		}
		for (let calls = 0; calls < rivals; calls++) life.budget.spend();
		// One of the two clocks must be right.
		const isOff = n8nAhead !== 0 && this.history.traits.date === 'right';
		list.n8nAhead = isOff ? n8nAhead * 1000 : 0;
		const left = faults.filter(
			(fault) => this.canBeNoticed(fault) && !(isOff && fault === 'wrongDate'),
		);
		list.nextFault = () => left.shift() ?? 'none';
		await this.poll(time, fate === 'fails');
	}

	/** A list without a count, or without an end, does not tell that one page is missing. */
	private canBeNoticed(fault: PageFault): boolean {
		const { count, lastPage } = this.history.traits;
		const hasEnds = ['null', 'absent', 'empty'].includes(lastPage);
		if (fault === 'endsEarly') return count === 'right';
		return fault === 'repeats' ? hasEnds : true;
	}

	private async poll(time: number, isLost = false): Promise<void> {
		const { list, life, history } = this;
		const before = list.calls;
		await life.poll(time, isLost);
		const minutesUnread = Math.max(1, life.unreadOrSoughtMs / 60_000);
		const most = Math.max(2, (minutesUnread * history.callsPerMinute) / 10) + MOST_AT_ONCE;
		if (list.calls - before > most) throw new Error('more calls than a poll may make');
		const minutes = (time - START) / 60 + 1;
		if (list.calls > (minutes * history.callsPerMinute) / 5 + 2 * MOST_AT_ONCE) {
			throw new Error(`more calls than a fifth: ${list.calls} in ${minutes} minutes`);
		}
	}

	/** The service is well, and n8n polls each minute: now everything must come. */
	private async getWell(last: number): Promise<void> {
		const { watchSeconds } = this.history.settings;
		const latest = Math.max(START + LAST_SCAN, ...this.history.scans.map(({ created }) => created));
		// Where n8n's clock is behind, a scan may be waited for until it is over by that, too.
		const behind = Math.max(0, -this.list.n8nAhead / 1000);
		const end = Math.max(last, latest) + watchSeconds + behind + LATEST_LOOK;
		let polls = 0;
		for (let time = last; time < end || !this.life.isSettled(latest); polls++) {
			time = this.nextPoll(time, CALM_POLL);
			await this.poll(time);
			if (polls > MOST_POLLS) throw new Error(`stuck: ${JSON.stringify(this.life.state)}`);
		}
		// What was due in the last of them may have had to leave its turn to others.
		for (let more = 0, time = end; more < LAST_TURNS; more++) {
			time = this.nextPoll(time, CALM_POLL);
			await this.poll(time);
		}
	}

	private isChosen(code: string): boolean {
		// With none chosen, all are.
		return this.history.chosen.length === 0 || this.history.chosen.includes(code);
	}

	private mayCome({ id }: ModelScan, code: string): boolean {
		return this.isChosen(code) || this.life.failedWith.has(id);
	}

	/** Whether it could not be read for most of the watch, and the user was told so. */
	private isHidden(scan: ModelScan): boolean {
		const { settings, scans, traits } = this.history;
		const watched = scan.created + settings.watchSeconds;
		const times = listTimes(scan, traits);
		const isTold = ({ refused }: Delivered) =>
			times.some((time) => refused !== undefined && time >= refused.from - 1 && time <= refused.to);
		if (this.life.delivered.some(isTold)) return true;
		return scans.some(
			(other) =>
				(other.failsUntil ?? 0) + LATEST_LOOK > watched &&
				listTimes(other, traits).some((one) => times.some((time) => Math.abs(one - time) <= 1)),
		);
	}

	private check(scan: ModelScan, events: Delivered[]): void {
		const { verdictChanges, watchSeconds } = this.history.settings;
		const watchEnd = scan.created + watchSeconds;
		const say = (what: string) => {
			throw new Error(`${what}: ${JSON.stringify({ scan, events })}`);
		};
		const kinds = events.map(({ event }) => event);
		const finishes = kinds.filter((kind) => kind === 'finished').length;
		if (finishes > 1) say('delivered twice');
		if (this.moves(scan)) return;
		if (scan.created < this.start) {
			if (events.length > 0) say('created before the start, and delivered');
			return;
		}
		if (finishes + kinds.filter((kind) => kind === 'unfinished').length > 1) say('delivered twice');
		for (const { code, at, until } of events) {
			const said = [at, until].map((time) => verdictAt(scan, time));
			const between = scan.verdicts.some(
				(one) => one.code === code && one.at >= at && one.at <= until,
			);
			if (code !== undefined && !said.includes(code) && !between)
				say('a verdict that was not said');
		}
		if (this.isHidden(scan)) return;
		const inTime = verdictAt(scan, watchEnd);
		if (inTime === undefined) {
			const finishesLater = scan.verdicts.length > 0;
			if (kinds[0] !== 'unfinished' && finishesLater) return;
			if (events.length === 0 && this.isChosen('') && !finishesLater)
				say('not told to be unfinished');
			if (kinds.some((kind) => kind !== 'unfinished')) say('no such event');
			return;
		}
		if (kinds.includes('unfinished')) say('finished in time, but told to be unfinished');
		if (!verdictChanges) {
			if (this.isChosen(inTime) && events.length !== 1 && this.stays(scan)) say('not delivered');
			if (!this.mayCome(scan, inTime) && events.length > 0 && this.stays(scan)) say('not chosen');
			return;
		}
		this.checkChanges(scan, events, say);
	}

	/**
	 * Whether it is found only where new scans are read. They may be read so late that its watch is over by
	 * then, or have been read from a later start on.
	 */
	private moves(scan: ModelScan): boolean {
		return listTimes(scan, this.history.traits).length > 1;
	}

	/** Whether it has one verdict only. */
	private stays({ verdicts }: ModelScan): boolean {
		return new Set(verdicts.map(({ code }) => code)).size === 1;
	}

	private checkChanges(scan: ModelScan, events: Delivered[], say: (what: string) => void): void {
		const watchEnd = scan.created + this.history.settings.watchSeconds;
		const inTime = verdictAt(scan, watchEnd)!;
		const last = events.at(-1)?.code;
		const possible = scan.verdicts.filter(({ at }) => at >= watchEnd).map(({ code }) => code);
		// Seen so late that it was another one by then.
		const wasMissed = last === undefined && possible.some((code) => !this.isChosen(code));
		if (this.isChosen(inTime) && last !== inTime && !possible.includes(last ?? '') && !wasMissed) {
			say('not delivered');
		}
		if (last !== undefined && this.isChosen(last) && last !== inTime && !possible.includes(last)) {
			say('a change was not told');
		}
		let previous: string | undefined;
		for (const { event, code, previousCode } of events) {
			// A change that was taken back before its failed batch came again is told all the same.
			const isTold = this.life.failedWith.has(scan.id);
			if (event === 'changed' && previousCode === code && !isTold) say('no change');
			if (previous !== undefined && previous === code && !isTold) say('told twice');
			if (![code!, previousCode ?? code!].some((one) => this.mayCome(scan, one))) say('not chosen');
			previous = code;
		}
	}
}
