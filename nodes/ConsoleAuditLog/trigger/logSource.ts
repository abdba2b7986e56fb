import type { IPollFunctions, NodeApiError } from 'n8n-workflow';
import { parsedTime } from '../../../input/parsedTime';
import { serverNow } from '../../../services/console/auditLog';
import { isoTime } from '../../../services/console/auditLogEntry';
import type { ConnectedConsole } from '../../../services/console/consoleService';
import type { Clock } from '../../../transport/clock';
import { failureKindOf } from '../../../transport/errors/callError';
import type { Batch, Lag, PolledSource } from '../../common/polling/polledSource';
import { triggerKey, warn } from '../../common/polling/pollHost';
import { triggerScope, storedPosition } from '../../common/polling/storedPosition';
import { recognized } from '../../common/polling/credentialMark';
import type { LogReading, ReadingMemory } from '../reading/logReading';
import { readingFrom } from '../reading/logReading';
import type { ReadingSettings } from '../reading/readingSettings';
import { CLOCK_STEP_MS } from '../reading/readSoFar';
import type { ObservedEntry } from '../reading/observedEntry';
import type { PollState } from '../reading/pollState';
import { freshState, STATE_VERSION } from '../reading/pollState';
import { DIGEST_BOUNDS } from '../reading/seenDigests';
import { isPollState } from '../reading/isPollState';
import type { ToldNotices } from './logNotices';
import { logNotices } from './logNotices';
import { readLog } from './readLog';
import { MAX_ENTRIES_OPTION } from './triggerFields';
import type { TriggerSettings } from './triggerSettings';

/** What polls of this process learned, by trigger and scope: n8n stores nothing of a poll that failed. */
const memories = new Map<string, ReadingMemory>();

/** What polls of this process have told, by the same. */
const toldNotices = new Map<string, ToldNotices>();

function isLimit(failure: NodeApiError): boolean {
	return ['rateLimited', 'queueExpired'].includes(failureKindOf(failure) ?? '');
}

/** The console's log as a trigger polls it. */
export class LogSource implements PolledSource<PollState> {
	readonly scope: string;
	private readonly key: string;

	constructor(
		private readonly context: IPollFunctions,
		private readonly console: ConnectedConsole,
		private readonly settings: TriggerSettings,
		private readonly poll: { deadline: number; clock: Clock },
	) {
		const { idField, timestampField } = settings.reading;
		this.scope = triggerScope(
			[console.service.origin, idField, timestampField],
			settings.startOver,
		);
		// What was learned of another console, or before Start Over, is not believed.
		this.key = `${triggerKey(context)} ${this.scope}`;
	}

	/** Nothing of it is repaired. */
	position(stored: unknown): PollState | undefined {
		const { startOver } = this.settings;
		return storedPosition(this.context, stored, {
			scope: this.scope,
			scopeParts: "the console, the ID field, the timestamp field or 'Start Over'",
			startOver,
			version: STATE_VERSION,
			isPosition: isPollState,
		});
	}

	async start(): Promise<{ position: PollState; isNow: boolean }> {
		const { start } = this.settings;
		if (start.kind === 'now') return { position: await this.startingNow(), isNow: true };
		const since = start.kind === 'date' ? start.since : undefined;
		return { position: freshState(this.scope, since), isNow: false };
	}

	async read(
		from: PollState,
		end: string | undefined,
		isAnswered = false,
	): Promise<Batch<PollState>> {
		const { settings } = this;
		const until = parsedTime(end);
		const count = until === undefined && end !== undefined ? Number(end) : undefined;
		const reading = this.reading(from, { ...settings.reading, until, count });
		const failure = await readLog(this.console.service, reading, { ...this.poll, isAnswered });
		memories.set(this.key, reading.memory);
		if (reading.isOtherLog) return await this.readOtherLog(from, end);
		// At once: a header from an expression may be another credential at each poll.
		if (reading.mustReadAgain) return await this.read(reading.state, end, reading.hasRead);
		const { newEntries } = reading;
		this.tell(reading, failure !== undefined && newEntries.length === 0);
		const items = await settings.output.items(newEntries);
		return {
			// n8n's `returnJsonArray` would take an entry that has a field `json` apart.
			items: items.map((json) => ({ json })),
			after: reading.state,
			end: endOf(newEntries, reading.serverTime ?? 0),
			hasMore: !reading.reachedEnd,
			failure,
			isUnfinished: !reading.isFinished,
			lag: lagOf(reading),
		};
	}

	/**
	 * The position of a trigger that starts now, by the server's clock: the entries of the lookback are
	 * read and remembered, so that only what appears from now on counts as new.
	 */
	private async startingNow(): Promise<PollState> {
		const { settings, poll } = this;
		const { service } = this.console;
		const now = await serverNow(service, poll);
		const lookback = freshState(this.scope, now - settings.reading.lookbackMs);
		const reading = this.reading(lookback, {
			...settings.reading,
			maxEntries: DIGEST_BOUNDS.all,
		});
		const failure = await readLog(service, reading, poll);
		// A limit of calls ends the reading as the end of its time does.
		const hasEntries = reading.newEntries.length > 0;
		if (failure && !(hasEntries && isLimit(failure))) throw failure;
		return reading.startingAt(now);
	}

	private tell(reading: LogReading, isLost: boolean): void {
		const fields = this.settings.reading;
		const { notices, told } = logNotices(reading, {
			told: toldNotices.get(this.key) ?? {},
			fields,
			isLost,
		});
		toldNotices.set(this.key, told);
		for (const notice of notices) warn(this.context, notice);
	}

	private reading(from: PollState, settings: ReadingSettings): LogReading {
		return readingFrom(from, settings, {
			now: this.poll.clock.now(),
			memory: memories.get(this.key),
			credential: recognized(from.credential, this.console.credential),
		});
	}

	/**
	 * Nothing of what is remembered is there: the credential leads to the log of another tenant. A
	 * batch of it that fails leaves the position as it is, and is found again by the same way.
	 */
	private async readOtherLog(from: PollState, end: string | undefined): Promise<Batch<PollState>> {
		const isNow = this.settings.start.kind === 'now';
		memories.delete(this.key);
		toldNotices.delete(this.key);
		warn(
			this.context,
			`the new credential reads a different audit log. The trigger ${isNow ? 'continues after the last entry it delivered' : "begins again at 'Start From'"}.`,
		);
		const position = isNow
			? freshState(this.scope, this.lastRead(from))
			: (await this.start()).position;
		// A fresh position has no mark of a credential, so this happens once.
		const batch = await this.read(position, end);
		const isThere = batch.items.length > 0 || batch.isUnfinished;
		// A batch that is to come again may be one of the log before.
		return end === undefined || isThere ? batch : await this.read(position, undefined);
	}

	/** Up to when a log was read; the newest entry may be dated later than that. */
	private lastRead({ since, from }: PollState): number | undefined {
		const begin = parsedTime(from);
		if (begin === undefined) return parsedTime(since);
		return Math.min(parsedTime(since) ?? Infinity, begin + this.settings.reading.lookbackMs);
	}
}

/**
 * What finds a batch again: the newest time in it. One in the future bounds nothing yet, and an entry
 * without a time is behind no time: then it is how many there are.
 */
function endOf(entries: ObservedEntry[], serverTime: number): string {
	const newest = entries.reduce((latest, { dated = Infinity }) => Math.max(latest, dated), 0);
	return newest <= serverTime + CLOCK_STEP_MS ? isoTime(newest) : String(entries.length);
}

function lagOf({ reachedEnd, serverTime, state: { since } }: LogReading): Lag | undefined {
	const readTo = reachedEnd ? serverTime : parsedTime(since);
	if (serverTime === undefined || readTo === undefined) return undefined;
	return {
		ms: serverTime - readTo,
		advice: `Poll every minute, and raise '${MAX_ENTRIES_OPTION}'. If the workflow takes long, make it faster.`,
	};
}
