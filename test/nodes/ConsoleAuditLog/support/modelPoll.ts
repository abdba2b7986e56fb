import { LARGEST_BATCH } from '../../../../nodes/common/polling/largestBatch';
import type { AuditLogEntry } from '../../../../services/console/auditLogEntry';
import { LogReading } from '../../../../nodes/ConsoleAuditLog/reading/logReading';
import type { ReadingContext } from '../../../../nodes/ConsoleAuditLog/reading/logReading';
import type { ReadingSettings } from '../../../../nodes/ConsoleAuditLog/reading/readingSettings';
import type { PollState } from '../../../../nodes/ConsoleAuditLog/reading/pollState';
import { isPollState } from '../../../../nodes/ConsoleAuditLog/reading/isPollState';
import type { ModelLog } from './modelLog';

export const SCOPE = 'scope';

/** What happens to the calls of one poll. */
export interface PollPlan {
	/** Calls until the time of the poll is over. */
	calls: number;
	/** Milliseconds that each call takes. */
	callMs: number;
	/** Whether the console tells its time. */
	tellsTime?: boolean;
	/** What becomes of the n-th call, counted from 0, unless it is answered. */
	faults: Record<number, 'fails' | 'tokenRefused'>;
}

export const CALM: PollPlan = { calls: 1000, callMs: 0, tellsTime: true, faults: {} };

export const SETTINGS: ReadingSettings = {
	idField: 'auditlogId',
	timestampField: 'createdAt',
	lookbackMs: 5 * 60_000,
	maxEntries: 10_000,
	mostBytes: LARGEST_BATCH,
};

export interface PollOutcome {
	reading: LogReading;
	/** Keys of the entries handed over, in order. */
	delivered: string[];
	/** The state that follows, as n8n gives it back; the one before if the poll threw. */
	state: PollState;
	failed: boolean;
	/** The moment at which it ended. */
	now: number;
	calls: number;
}

/** What identifies an entry of the model: its content, which no two entries with an id share. */
export function keyOf(entry: AuditLogEntry): string {
	const known = keys.get(entry) ?? JSON.stringify(entry);
	keys.set(entry, known);
	return known;
}

const keys = new WeakMap<AuditLogEntry, string>();

/** As n8n stores it: JSON, and nothing may change it in place. */
export function stored(state: PollState): PollState {
	const read = JSON.parse(JSON.stringify(state)) as PollState;
	if (!isPollState(read)) throw new Error('the state is not readable');
	return deepFreeze(read);
}

/** One poll, synchronously: what readLog and pollOnce do, with the model as the service. */
export function pollModel(
	before: PollState,
	settings: ReadingSettings,
	log: ModelLog,
	begin: number,
	plan: PollPlan = CALM,
	context: Omit<ReadingContext, 'now'> = {},
): PollOutcome {
	const reading = new LogReading(before, settings, { ...context, now: begin });
	let now = begin;
	let failed = false;
	let made = 0;
	while (made < plan.calls && !failed) {
		const call = reading.nextCall;
		if (!call) break;
		const fault = plan.faults[made++];
		now += plan.callMs;
		if (fault === 'fails') failed = !reading.failed('tokenOrSize');
		else if (fault === 'tokenRefused' && call.pageToken !== undefined) {
			failed = !reading.failed('token');
		} else {
			const page = log.page(call, now);
			// A server tells its time in whole seconds.
			if (page === 'refused') failed = !reading.failed('refused');
			else {
				const digest = JSON.stringify(page);
				reading.take(page, Math.floor(now / 1000) * 1000, { digest, isTold: plan.tellsTime });
			}
		}
	}
	failed ||= reading.wentInCircles;
	const delivered = reading.newEntries.map(({ entry }) => keyOf(entry));
	const threw = failed && delivered.length === 0;
	return {
		reading,
		delivered,
		state: threw ? before : stored(reading.state),
		failed,
		now,
		calls: made,
	};
}

function deepFreeze<T>(value: T): T {
	if (typeof value === 'object' && value !== null) Object.values(value).forEach(deepFreeze);
	return Object.freeze(value);
}
