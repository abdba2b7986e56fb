import type {
	FeedSettings,
	ScanEvent,
} from '../../../../../nodes/ContentScan/trigger/reading/feedReading';
import { FeedReading } from '../../../../../nodes/ContentScan/trigger/reading/feedReading';
import type { FeedState } from '../../../../../nodes/ContentScan/trigger/reading/feedState';
import { freshState } from '../../../../../nodes/ContentScan/trigger/reading/feedState';
import {
	PENDING,
	unpackScans,
} from '../../../../../nodes/ContentScan/trigger/reading/rememberedScans';
import type { ModelList } from './modelList';

/** An event as a workflow gets it. */
export interface Delivered {
	event: ScanEvent['event'];
	id?: string;
	code?: string;
	previousCode?: string;
	at: number;
}

/** A trigger from its activation on, in an n8n that keeps its position and may be killed. */
export class LifeOfFeed {
	readonly delivered: Delivered[] = [];
	largestState = 0;
	mostCalls = 0;
	state: FeedState;
	private saved: FeedState;

	constructor(
		private readonly list: ModelList,
		private readonly settings: FeedSettings,
		private readonly n8n: { savesSilentPolls: boolean; callsPerPoll: number },
		start: number,
	) {
		this.state = this.saved = stored(freshState('model', start));
	}

	/** n8n is killed and started again: what it had not stored is gone. */
	restart(): void {
		this.state = this.saved;
	}

	/** Whether all scans that were created before a moment were read, and none of them is waited for. */
	isSettled(time: number): boolean {
		const scans = [...unpackScans(this.state.scans).values()];
		return this.state.settledTo > time && scans.every(({ mark }) => mark !== PENDING);
	}

	poll(time: number): void {
		const before = this.list.calls;
		const reading = new FeedReading(this.state, this.settings, time);
		for (;;) {
			const left = this.n8n.callsPerPoll - (this.list.calls - before);
			const window = left > 0 ? reading.nextWindow : undefined;
			if (!window) break;
			const mostPages = window.end - window.start <= 1 ? 50 : left;
			const content = this.list.read(window, time, mostPages);
			if (content === 'failed') break;
			if (content !== 'refused') reading.take(window, content);
			else if (!reading.refused(window)) break;
		}
		this.mostCalls = Math.max(this.mostCalls, this.list.calls - before);
		const { events } = reading;
		this.state = stored(reading.state);
		this.largestState = Math.max(this.largestState, JSON.stringify(this.state).length);
		if (events.length > 0 || this.n8n.savesSilentPolls) this.saved = this.state;
		for (const { event, record, previousCode } of events) {
			const code = record ? ((record.verbose_verdict ?? '') as string) : undefined;
			this.delivered.push({
				event,
				id: record?.id as string | undefined,
				...(event !== 'unfinished' && { code }),
				...(event === 'changed' && { previousCode }),
				at: time,
			});
		}
	}
}

function stored(state: FeedState): FeedState {
	return JSON.parse(JSON.stringify(state)) as FeedState;
}
