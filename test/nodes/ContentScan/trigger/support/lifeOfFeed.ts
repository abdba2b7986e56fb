import { eventItem } from '../../../../../nodes/ContentScan/trigger/feedItems';
import { ListMemory } from '../../../../../nodes/ContentScan/trigger/listMemory';
import { readList } from '../../../../../nodes/ContentScan/trigger/readList';
import { FeedReading } from '../../../../../nodes/ContentScan/trigger/reading/feedReading';
import { PollTime } from '../../../../../nodes/ContentScan/trigger/reading/pollTime';
import type { FeedState } from '../../../../../nodes/ContentScan/trigger/reading/feedState';
import { freshState } from '../../../../../nodes/ContentScan/trigger/reading/feedState';
import { unpackScans } from '../../../../../nodes/ContentScan/trigger/reading/packedScans';
import { packBatch, unpackBatch } from '../../../../../nodes/ContentScan/trigger/reading/scanBatch';
import { PENDING } from '../../../../../nodes/ContentScan/trigger/reading/rememberedScans';
import type {
	WatchSettings,
	ScanEvent,
} from '../../../../../nodes/ContentScan/trigger/reading/scanEvents';
import type { ListBudget } from '../../../../../services/scanning/listBudget';
import type { ScanRecord } from '../../../../../services/scanning/scanRecord';
import { listBudget } from '../../../../../services/scanning/listBudget';
import type { ModelScanList } from './modelScanList';

/** When the trigger of every life starts, in epoch seconds. */
export const START = Date.UTC(2026, 5, 15, 12) / 1000;

/** Milliseconds that a poll may take. */
const POLL_MS = 30_000;

/** An event as a workflow gets it. */
export interface Delivered {
	event: ScanEvent['event'];
	/** The scan's name, which is its ID in the model. */
	id?: string;
	code?: string;
	previousCode?: string;
	/** When, in epoch seconds: from the beginning to the end of the poll. */
	at: number;
	until: number;
	/** Of a stretch that was never read: from when to when. */
	refused?: { from: number; to: number };
}

/** A trigger from its activation on, in an n8n that keeps its position and may be killed. */
export class LifeOfFeed {
	delivered: Delivered[] = [];
	/** Names of the scans with which the workflow has failed, and that did not come again yet. */
	readonly owed = new Set<string>();
	/** Names of all scans with which it has failed: they come again, whatever their verdict has become. */
	readonly failedWith = new Set<string>();
	largestState = 0;
	hadGaps = false;
	/** Whether the last poll took a window although its end was never seen. */
	hasGivenUp = false;
	mostCalls = 0;
	state: FeedState;
	readonly budget: ListBudget;
	private saved: FeedState;
	/** The batch that is to come again, as n8n stores it. */
	private batch?: string;
	private learned?: Pick<FeedState, 'span' | 'tooLong' | 'watched' | 'last'>;
	private memory = new ListMemory();
	/** As the trigger's memory: by the monotonic clock, in milliseconds. */
	private readAt?: number;
	private soughtSince?: number;
	/** How long the last poll found the list unread, or a batch sought, in milliseconds. */
	unreadOrSoughtMs = 0;

	constructor(
		private readonly list: ModelScanList,
		private readonly settings: WatchSettings,
		private readonly savesSilentPolls = true,
		start = START,
	) {
		this.state = this.saved = stored(freshState('model', start));
		this.budget = listBudget(list.service, 'trigger', list.clock, new Map());
	}

	/** n8n is killed and started again: what it had not stored is gone. */
	restart(): void {
		this.state = this.saved;
		this.learned = undefined;
		this.memory = new ListMemory();
		this.readAt = this.soughtSince = undefined;
	}

	/** The user starts over, from a moment on. */
	startOver(start: number): void {
		this.delivered = [];
		this.owed.clear();
		this.batch = undefined;
		this.state = this.saved = stored(freshState('model again', start));
	}

	/** Whether all scans that were created before a moment were read, and none of them is waited for. */
	isSettled(time: number): boolean {
		const scans = [...unpackScans(this.state.scans).values()];
		const { settledTo, gaps = [] } = this.state;
		return settledTo > time && gaps.length === 0 && scans.every(({ mark }) => mark !== PENDING);
	}

	/**
	 * @param time In epoch seconds.
	 * @param isLost Whether the workflow fails, so that what it got comes again.
	 */
	async poll(time: number, isLost = false): Promise<ScanEvent[]> {
		const { list, settings, budget } = this;
		const again = unpackBatch(this.batch);
		list.now = Math.max(list.now, time * 1000);
		const before = list.calls;
		const at = list.now / 1000;
		list.beginPoll();
		const from = { ...this.state, ...this.learned };
		const { memory } = this;
		const [n8nTime, begun] = [list.clock.now(), list.clock.monotonic()].map((ms) =>
			Math.floor(ms / 1000),
		);
		const pollTime = new PollTime(n8nTime, again?.end, begun + memory.ahead);
		const reading = new FeedReading(from, settings, pollTime, again?.digests);
		const { clock, service: scans } = list;
		const deadline = clock.now() + POLL_MS;
		const now = list.clock.monotonic();
		this.readAt ??= now;
		this.soughtSince = again && (this.soughtSince ?? now);
		this.unreadOrSoughtMs = now - Math.min(this.readAt, this.soughtSince ?? now);
		const { unreadOrSoughtMs } = this;
		const unread = { unreadOrSoughtMs, unreadMs: now - this.readAt, memory };
		const source = { scans, budget, filters: {}, clock, deadline, ...unread };
		const failure = await readList(source, reading);
		memory.ahead = pollTime.shownTo - begun;
		if (reading.hasRead) this.readAt = now;
		this.mostCalls = Math.max(this.mostCalls, list.calls - before);
		const { events, digests, state } = reading.result();
		this.hasGivenUp = reading.tookWithoutEnd;
		this.hadGaps ||= state.gaps !== undefined;
		const { span, tooLong, watched, last } = state;
		this.learned = reading.hasRead ? undefined : { span, tooLong, watched, last };
		if (events.length === 0) {
			const isFound = again === undefined || reading.nextWindow === undefined;
			if (reading.hasRead && isFound && !failure) this.batch = undefined;
			if (reading.hasRead) this.state = stored(state);
			if (this.savesSilentPolls && !failure) this.saved = this.state;
			return [];
		}
		if (isLost) {
			for (const { record } of events) {
				if (!record) continue;
				this.owed.add(nameOf(record));
				this.failedWith.add(nameOf(record));
			}
			const all = new Set([...(again?.digests ?? []), ...digests]);
			this.batch = packBatch({ end: again?.end ?? pollTime.byLaterClock, digests: all });
			this.saved = this.state;
			return events;
		}
		this.batch = undefined;
		this.state = stored(state);
		this.largestState = Math.max(this.largestState, JSON.stringify(this.state).length);
		this.saved = this.state;
		for (const event of events) this.deliver(event, { at, until: list.now / 1000 });
		return events;
	}

	private deliver(one: ScanEvent, times: Pick<Delivered, 'at' | 'until'>): void {
		const { event, record, previousCode, created, createdUntil, isGap } = one;
		const { status, verdict, clean } = eventItem(one, true).json;
		const isUnfinished = status !== 'finished' && verdict === null && clean === null;
		if (isUnfinished !== (event === 'unfinished'))
			throw new Error(`${event}, but ${String(status)}`);
		const code = record ? String(record.verbose_verdict ?? '') : undefined;
		const id = record && nameOf(record);
		if (id !== undefined) this.owed.delete(id);
		this.delivered.push({
			...{ event, id, ...times },
			...(event !== 'unfinished' && { code }),
			...(event === 'changed' && { previousCode }),
			...(isGap && { refused: { from: created, to: createdUntil! } }),
		});
	}
}

function nameOf({ names }: ScanRecord): string {
	return (names as string[])[0];
}

function stored(state: FeedState): FeedState {
	return JSON.parse(JSON.stringify(state)) as FeedState;
}
