import { freshState } from '../../../../nodes/ConsoleAuditLog/reading/pollState';
import type { ReadingContext } from '../../../../nodes/ConsoleAuditLog/reading/logReading';
import type { ReadingSettings } from '../../../../nodes/ConsoleAuditLog/reading/readingSettings';
import type { PollState } from '../../../../nodes/ConsoleAuditLog/reading/pollState';
import type { ModelEntry, ServiceHabits } from './modelLog';
import { ModelLog, PLAIN_HABITS } from './modelLog';
import type { PollPlan } from './modelPoll';
import { CALM, pollModel, SCOPE, SETTINGS } from './modelPoll';

/** Where the time of these logs begins, in milliseconds. */
export const BEGIN = Date.UTC(2026, 2, 1);
export const MINUTE = 60_000;

/** `count` entries, `gap` milliseconds apart, the first at `at` milliseconds after the beginning. */
export function entries(count: number, gap: number, at = 0, name = 'e'): ModelEntry[] {
	return Array.from({ length: count }, (_, number) => {
		const time = BEGIN + at + number * gap;
		const createdAt = new Date(time).toISOString();
		return { time, appearsAt: time, entry: { auditlogId: `${name}${number}`, createdAt } };
	});
}

const ids = (delivered: string[]) =>
	delivered.map((key) => (JSON.parse(key) as { auditlogId: string }).auditlogId);

/** A trigger on a log, polled by hand. */
export class Trigger {
	state: PollState = freshState(SCOPE);
	readonly came: string[] = [];
	settings: ReadingSettings = SETTINGS;

	constructor(
		readonly log: ModelLog,
		public now: number,
	) {}

	poll(plan: Partial<PollPlan> = {}, context: Omit<ReadingContext, 'now'> = {}) {
		const callsBefore = this.log.calls.length;
		const { state, settings, log, now } = this;
		const outcome = pollModel(state, settings, log, now, { ...CALM, ...plan }, context);
		this.state = outcome.state;
		this.now = outcome.now;
		const delivered = ids(outcome.delivered);
		this.came.push(...delivered);
		return {
			delivered,
			reading: outcome.reading,
			failed: outcome.failed,
			calls: this.log.calls.slice(callsBefore),
		};
	}

	/** Polls each minute until nothing has come twice in a row. */
	drain(plan: Partial<PollPlan> = {}): number {
		let polls = 0;
		for (let quiet = 0; quiet < 2; polls++) {
			if (polls > 500) throw new Error('it does not come to an end');
			quiet = this.poll(plan).delivered.length === 0 ? quiet + 1 : 0;
			this.now += MINUTE;
		}
		return polls;
	}

	get stateBytes(): number {
		return JSON.stringify(this.state).length;
	}
}

/** One that has not polled yet, an hour after the beginning unless told otherwise. */
export function trigger(
	log: ModelEntry[],
	habits: Partial<ServiceHabits> = {},
	now = BEGIN + 60 * MINUTE,
) {
	return new Trigger(new ModelLog(log, { ...PLAIN_HABITS, ...habits }), now);
}

/** The ids of `entries`. */
export const inOrder = (count: number, name = 'e') =>
	Array.from({ length: count }, (_, number) => `${name}${number}`);
