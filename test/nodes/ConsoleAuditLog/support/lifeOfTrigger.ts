import { LogReading } from '../../../../nodes/ConsoleAuditLog/reading/logReading';
import { freshState } from '../../../../nodes/ConsoleAuditLog/reading/pollState';
import type { ReadingMemory } from '../../../../nodes/ConsoleAuditLog/reading/logReading';
import type { ReadingSettings } from '../../../../nodes/ConsoleAuditLog/reading/readingSettings';
import type { PollState } from '../../../../nodes/ConsoleAuditLog/reading/pollState';
import { ModelLog } from './modelLog';
import { CALM, keyOf, pollModel, SCOPE, SETTINGS, stored } from './modelPoll';
import type { PollOutcome, PollPlan } from './modelPoll';
import { BEGIN } from './scenario';
import type { Scenario, Step } from './scenario';

/** A state together with what was handed over on the way to it. */
interface Position {
	state: PollState;
	handedOver: Map<string, number>;
}

/** Goes through a scenario as n8n would, and holds what comes out against the model. */
export class LifeOfTrigger {
	readonly log: ModelLog;
	private now = BEGIN;
	private inMemory: Position;
	private onDisk: Position;
	private memory: ReadingMemory | undefined;
	private pollBegan = 0;
	private readonly everOnDisk: Position[];
	/** Not to be handed over: what was there when a trigger that starts now was activated. */
	private readonly older = new Map<string, number>();

	/** @param mayRepeat Whether entries may be delivered twice, as more than the state can hold may. */
	constructor(
		private readonly scenario: Scenario,
		private readonly mayRepeat = false,
	) {
		this.log = new ModelLog(scenario.entries, scenario.habits);
		const settings = this.finalSettings;
		this.inMemory = { state: this.activation(settings), handedOver: new Map() };
		this.onDisk = this.inMemory;
		this.everOnDisk = [this.onDisk];
	}

	run(): void {
		for (const step of this.scenario.steps) this.step(step);
		this.letItEnd();
	}

	private get finalSettings(): ReadingSettings {
		const least = Math.min(...this.scenario.steps.map(({ settings }) => settings.lookbackMs), 3e8);
		const first = this.scenario.steps[0]?.settings ?? SETTINGS;
		return { ...first, maxEntries: first.maxEntries + 30, lookbackMs: least };
	}

	private activation(settings: ReadingSettings): PollState {
		if (this.scenario.start === 'oldest') return freshState(SCOPE);
		const moment = Math.floor(this.now / 1000) * 1000;
		const reading = new LogReading(
			freshState(SCOPE, moment - settings.lookbackMs),
			{ ...settings, maxEntries: 20_000 },
			{ now: this.now },
		);
		for (let call = reading.nextCall; call; call = reading.nextCall) {
			const page = this.log.page(call, this.now);
			if (page === 'refused') {
				if (!reading.failed('tokenOrSize')) throw new Error('every page size was refused');
			} else reading.take(page, moment);
		}
		for (const { time, entry } of this.log.visibleAt(this.now)) {
			// Without a time of its own, an entry that is there is an old one.
			if (time < moment || entry.createdAt === undefined) add(this.older, keyOf(entry));
		}
		return stored(reading.startingAt(moment));
	}

	private step({ wait, plan, fate, back, settings }: Step): void {
		this.now += wait;
		const { mode } = this.scenario;
		const from = mode === 'durable' ? this.onDisk : this.inMemory;
		const outcome = this.poll(from.state, settings, plan);
		this.now = outcome.now;
		const to = this.checked(from, outcome);
		const emits = outcome.delivered.length > 0;
		const threw = outcome.failed && !emits;
		if (fate !== 'abandons' && !threw) {
			this.inMemory = to;
			if ((mode === 'durable' || emits) && fate !== 'crashes') this.store(to);
		}
		if (fate === 'rewinds') this.store(this.everOnDisk.at(-1 - back) ?? this.everOnDisk[0]);
		if (fate === 'carriesOn') return;
		this.inMemory = this.onDisk;
		this.memory = undefined;
	}

	private poll(state: PollState, settings: ReadingSettings, plan: PollPlan): PollOutcome {
		this.pollBegan = this.now;
		const outcome = pollModel(state, settings, this.log, this.now, plan, { memory: this.memory });
		this.memory = outcome.reading.memory;
		return outcome;
	}

	private store(position: Position): void {
		this.onDisk = position;
		this.everOnDisk.push(position);
	}

	/** The position after a poll; nothing may come twice on the way to it, or out of order. */
	private checked(from: Position, { delivered, state, now }: PollOutcome): Position {
		if (delivered.length === 0) return { ...from, state };
		const handedOver = new Map(from.handedOver);
		for (const key of delivered) add(handedOver, key);
		if (this.mayRepeat) return { state, handedOver };
		const there = countOf(this.log.visibleAt(now).map(({ entry }) => keyOf(entry)));
		for (const key of new Set(delivered)) {
			const allowed = (there.get(key) ?? 0) - (this.older.get(key) ?? 0);
			if ((handedOver.get(key) ?? 0) > allowed) throw new Error(`twice: ${key}`);
		}
		// Those that appear meanwhile come where they are found.
		const before = countOf(this.log.visibleAt(this.pollBegan).map(({ entry }) => keyOf(entry)));
		const times = delivered
			.filter((key) => before.get(key) === there.get(key))
			.map((key) => (JSON.parse(key) as { createdAt?: string }).createdAt);
		const dated = times.filter((time) => time !== undefined);
		// Behind a token that counts entries, they shift the rest.
		const isInOrder = this.scenario.habits.tokens === 'cursor';
		if (isInOrder && dated.some((time, index) => index > 0 && time < dated[index - 1])) {
			throw new Error(`out of order: ${dated.join()}`);
		}
		return { state, handedOver };
	}

	/**
	 * All entries appear, n8n polls on without trouble, if slowly: now everything must come, in polls
	 * that are bounded.
	 */
	private letItEnd(): void {
		const settings = this.finalSettings;
		this.now =
			Math.max(this.now, ...this.scenario.entries.map(({ appearsAt }) => appearsAt)) + 60_000;
		let position = this.scenario.mode === 'durable' ? this.onDisk : this.inMemory;
		for (let quiet = 0, polls = 0; quiet < 2; polls++) {
			if (polls > 2000) throw new Error('it does not come to an end');
			const plan = { ...CALM, calls: this.scenario.calmCalls };
			const outcome = this.poll(position.state, settings, plan);
			if (outcome.failed) throw new Error('failed without a reason');
			position = this.checked(position, outcome);
			this.now += 60_000;
			// What may come again comes as long as it is looked for.
			if (this.mayRepeat && this.lost(position).length === 0) break;
			const isAtEnd = outcome.delivered.length === 0 && !outcome.state.resume;
			quiet = isAtEnd ? quiet + 1 : outcome.delivered.length === 0 ? quiet : 0;
		}
		const [lost] = this.lost(position);
		if (lost !== undefined) throw new Error(`lost: ${lost}`);
	}

	private lost({ handedOver }: Position): string[] {
		const all = countOf(this.log.visibleAt(this.now).map(({ entry }) => keyOf(entry)));
		return [...all.keys()].filter(
			(key) => (handedOver.get(key) ?? 0) < all.get(key)! - (this.older.get(key) ?? 0),
		);
	}
}

function add(counts: Map<string, number>, key: string): void {
	counts.set(key, (counts.get(key) ?? 0) + 1);
}

function countOf(keys: string[]): Map<string, number> {
	const counts = new Map<string, number>();
	for (const key of keys) add(counts, key);
	return counts;
}
