import type { IPollFunctions } from 'n8n-workflow';
import { believedTime, earliestTime } from '../../../services/serverTime';
import { isRecord } from '../../../transport/isRecord';
import { recognized } from '../../common/polling/credentialMark';
import type { Batch, Lag, PolledSource } from '../../common/polling/polledSource';
import { triggerKey, warn } from '../../common/polling/pollHost';
import { triggerScope, storedPosition } from '../../common/polling/storedPosition';
import { SIZE_OPTION } from './feedFields';
import { eventItem, isoOfSecond } from './feedItems';
import type { FeedMemory } from './feedMemory';
import { feedMemory } from './feedMemory';
import type { ScanFeedSettings } from './feedSettings';
import type { PolledList } from './polledList';
import { pagesOf } from './polledList';
import { readList } from './readList';
import { FeedReading } from './reading/feedReading';
import type { FeedState } from './reading/feedState';
import { STATE_VERSION, freshState, readableState } from './reading/feedState';
import type { Gap } from './reading/gaps';
import { PollTime } from './reading/pollTime';
import { packBatch, unpackBatch } from './reading/scanBatch';

/** Reading as many seconds of the list of a busy organization again takes some minutes. */
const LONG_WAY = 6 * 3600;

/** So long ago, in seconds, is past by every clock. */
const SURELY_PAST = 86_400;

/** The list of scans as a service that a trigger polls. */
export class ScanFeedSource implements PolledSource<FeedState> {
	readonly scope: string;
	private readonly memory: FeedMemory;

	constructor(
		private readonly context: IPollFunctions,
		private readonly list: PolledList,
		private readonly settings: ScanFeedSettings,
	) {
		this.scope = triggerScope([list.scans.service.origin], settings.startOver);
		this.memory = feedMemory(triggerKey(context), this.scope);
	}

	position(stored: unknown): FeedState | undefined {
		const { startOver, reading } = this.settings;
		const position = storedPosition<FeedState>(this.context, stored, {
			scope: this.scope,
			scopeParts: "the address of the service or 'Start Over'",
			startOver,
			version: STATE_VERSION,
			isPosition: (value) => isRecord(value) && typeof value.scope === 'string',
		});
		if (!position) return undefined;
		const now = seconds(this.list.clock.now());
		const { state, unreadable } = readableState({ ...position }, now, reading.watchSeconds);
		if (unreadable.length > 0) this.warnUnusable(unreadable.join(', '), state);
		return state;
	}

	async start(): Promise<{ position: FeedState; isNow: boolean }> {
		const { startDate } = this.settings;
		if (startDate !== undefined) {
			return { position: freshState(this.scope, startDate), isNow: false };
		}
		const now = await this.serverNow();
		return { position: freshState(this.scope, now), isNow: true };
	}

	isLongWay(from: FeedState, to: FeedState): boolean {
		return to.settledTo - from.settledTo >= LONG_WAY;
	}

	async read(from: FeedState, end: string | undefined): Promise<Batch<FeedState>> {
		const { list, settings, memory } = this;
		const before = { ...from, ...memory.learned, credential: this.credential(from) };
		const again = unpackBatch(end);
		const now = list.clock.monotonic();
		const shownTo = seconds(now) + memory.list.ahead;
		const time = new PollTime(seconds(list.clock.now()), again?.end, shownTo);
		const reading = new FeedReading(before, settings.reading, time, again?.digests);
		const hadTime = list.clock.now() < list.deadline;
		memory.readAt ??= now;
		memory.soughtSince = again && (memory.soughtSince ?? now);
		// The calls of one poll may not do to find it: they become ever more.
		const unreadOrSoughtMs = now - Math.min(memory.readAt, memory.soughtSince ?? now);
		const unreadMs = now - memory.readAt;
		const polled = { ...list, unreadOrSoughtMs, unreadMs, memory: memory.list };
		const failure = await readList(polled, reading);
		memory.list.ahead = time.shownTo - seconds(now);
		if (reading.hasRead) memory.readAt = now;
		const { events, digests, state, forgotten } = reading.result();
		const { span, tooLong, watched, last } = state;
		memory.learned = reading.hasRead ? undefined : { span, tooLong, watched, last };
		if (hadTime && !reading.hasRead && !failure) this.sayNoCalls();
		this.warnClocks(time);
		if (reading.wasAhead) this.warnUnusable('its time is in the future', state);
		if (reading.hasRead) this.say(reading, newGaps(before, state), forgotten);
		return {
			items: events.map((event) => eventItem(event, settings.simplify)),
			// What was refused means nothing as long as nothing else was answered.
			after: reading.hasRead ? state : from,
			end: packBatch({
				end: time.byLaterClock,
				digests: new Set([...(again?.digests ?? []), ...digests]),
			}),
			// The calls of a poll are counted: the rest comes with the next one.
			hasMore: false,
			failure,
			isUnfinished: !reading.hasRead || (again !== undefined && reading.isUnfinished),
			...(reading.hasRead && { lag: lagOf(state, time) }),
		};
	}

	/** The service's clock, in epoch seconds, or somewhat earlier: a machine in between may have told it. */
	private async serverNow(): Promise<number> {
		const { clock } = this.list;
		// A service may refuse a time to come, and n8n's clock may be ahead of its own.
		const start = seconds(clock.now()) - SURELY_PAST;
		const query = { start, end: start + 1, limit: 1 };
		const { value: page } = await pagesOf(this.list, query).next();
		const now = clock.now();
		return seconds(earliestTime(believedTime(page?.askedAt, now) ?? now, now));
	}

	private credential({ credential }: FeedState): FeedState['credential'] {
		const { mark, isOther } = recognized(credential, this.list.scans.tokenKey);
		// Polls that fail store no mark, and find another credential again.
		if (isOther && this.memory.toldOf !== mark.digest) {
			this.memory.toldOf = mark.digest;
			warn(
				this.context,
				"the API token has changed. The trigger continues from where it was. If the token belongs to another organization, its earlier scans are not read: change 'Start Over' to begin again at 'Start From'.",
			);
		}
		return mark;
	}

	private warnUnusable(what: string, { settledTo }: FeedState): void {
		warn(
			this.context,
			`a part of the stored position cannot be used (${what}). The trigger continues with the scans created since ${isoOfSecond(settledTo)}. Some may be delivered again.`,
		);
	}

	/** Which of the two is wrong is not known, and polls succeed with either. */
	private warnClocks({ n8nTime, otherTime }: PollTime): void {
		if (otherTime === undefined || this.memory.toldOfClocks) return;
		this.memory.toldOfClocks = true;
		warn(
			this.context,
			`n8n's clock and the service's differ by over ten minutes: n8n says ${isoOfSecond(n8nTime)}, the service ${isoOfSecond(otherTime)}. Until the wrong one is corrected, scans may come late, twice or not at all.`,
		);
	}

	private sayNoCalls(): void {
		warn(
			this.context,
			"the list of scans was not read in this poll. This trigger, or others with this token, used up the calls for it. The list is read at least every five minutes. If this persists, poll less often, or raise 'Calls per Minute' in the credential if your agreement allows it.",
		);
	}

	/** Tells n8n's log what a user could not see otherwise. */
	private say(reading: FeedReading, [gap]: Gap[], forgotten: number): void {
		if (gap) {
			warn(
				this.context,
				`the service refuses to list the scans created at about ${isoOfSecond(gap.start)}, but answers for others. The trigger continues, and tries these again.`,
			);
		}
		if (forgotten > 0) {
			warn(
				this.context,
				`there are more pending scans than the trigger can remember. The oldest (${forgotten}) are no longer watched. Select 'Other' in 'Verdicts' to receive such scans as unfinished.`,
			);
		}
		for (const { start, end } of reading.givenUp) {
			warn(
				this.context,
				`the service refused every call for the scans created from ${isoOfSecond(start)} to ${isoOfSecond(end)}, while it answered for others. The trigger gives up on them. Look them up in the service.`,
			);
		}
		if (reading.flaw !== undefined && !this.memory.toldOfFlaw) {
			this.memory.toldOfFlaw = true;
			warn(
				this.context,
				`the list of scans cannot be read as expected: ${reading.flaw}. Such scans do not start the workflow, or only as unfinished after a while. Use 'Fetch Test Event' to see what is wrong.`,
			);
		}
		if (reading.tookWithoutEnd) {
			warn(
				this.context,
				"the list of scans does not end properly. Its 'count' is higher than the number of scans on its pages, or its pages have no end. The trigger takes what there is and continues.",
			);
		}
	}
}

function lagOf({ settledTo }: FeedState, { byEarlierClock }: PollTime): Lag {
	return {
		ms: 1000 * (byEarlierClock - settledTo),
		advice: `Poll every minute, and raise 'Calls per Minute' in the credential if your agreement allows it. If the workflow takes long, make it faster, or raise '${SIZE_OPTION}'.`,
	};
}

function newGaps({ gaps: before = [] }: FeedState, { gaps = [] }: FeedState): Gap[] {
	return gaps.filter(({ start }) => !before.some((gap) => gap.start <= start && start < gap.end));
}

function seconds(milliseconds: number): number {
	return Math.floor(milliseconds / 1000);
}
