import { recognized } from '../../../../nodes/common/polling/credentialMark';
import type { ReadingMemory } from '../../../../nodes/ConsoleAuditLog/reading/logReading';
import type { ReadingSettings } from '../../../../nodes/ConsoleAuditLog/reading/readingSettings';
import { LogReading, readingFrom } from '../../../../nodes/ConsoleAuditLog/reading/logReading';
import type { PollState } from '../../../../nodes/ConsoleAuditLog/reading/pollState';
import { freshState } from '../../../../nodes/ConsoleAuditLog/reading/pollState';
import { readLog } from '../../../../nodes/ConsoleAuditLog/trigger/readLog';
import { serverNow } from '../../../../services/console/auditLog';
import { keyOf, SCOPE, SETTINGS, stored } from './modelPoll';
import { BEGIN } from './scenario';
import type { Traits, Weather } from './serviceFamily';
import { FamilyService, FINE_WEATHER } from './serviceFamily';
import type { ModelEntry } from './modelLog';

/** One poll, and what n8n makes of it. */
export interface HistoryStep {
	/** Milliseconds until it. */
	wait: number;
	/** Milliseconds that the poll may take. */
	budget: number;
	weather: Weather;
	/**
	 * What n8n does: carries on; is restarted; is killed before it has stored anything; no longer waits
	 * for the poll; puts back an older position.
	 */
	fate: 'carriesOn' | 'restarts' | 'crashes' | 'abandons' | 'rewinds';
	/** Which of the older positions, counted back. */
	back: number;
	settings: ReadingSettings;
	/** Which of several credentials of the same tenant. */
	credential: number;
}

export interface History {
	traits: Traits;
	entries: ModelEntry[];
	/** Whether n8n stores each position, or only what comes with a delivery. */
	mode: 'default' | 'durable';
	start: 'oldest' | 'now';
	steps: HistoryStep[];
	/** No entry appears later than so many milliseconds after its time. */
	lookbackMs: number;
	/** How far n8n's clock is ahead at first, in milliseconds. */
	clockAhead: number;
	/** Milliseconds that each call takes once the service is well. */
	calmCallMs: number;
	/** Whether each poll has another credential then, of the same tenant: a header may hold a nonce. */
	changesCredential: boolean;
}

interface Position {
	state: PollState;
	delivered: Set<string>;
}

/** Polls that are ample for a few hundred entries, whatever the service. */
const MOST_POLLS = 400;

/** Lives through a history as n8n would, and checks what must hold for every service. */
export class HistoryOfTrigger {
	private readonly service: FamilyService;
	private readonly older = new Set<string>();
	private inMemory: Position = { state: freshState(SCOPE), delivered: new Set() };
	private onDisk = this.inMemory;
	private everOnDisk = [this.inMemory];
	private memory: ReadingMemory | undefined;

	constructor(private readonly history: History) {
		const { entries, traits, clockAhead } = history;
		this.service = new FamilyService(entries, traits, BEGIN, clockAhead);
	}

	async run(): Promise<void> {
		const { start, steps } = this.history;
		if (start === 'now') await this.activate();
		for (const step of steps) await this.step(step);
		await this.getWell();
	}

	/** docs/guarantees.md, What is assumed. */
	private get mayRepeat(): boolean {
		return this.history.traits.sinceStep > 1000;
	}

	private get calmSettings(): ReadingSettings {
		const [first = { settings: SETTINGS }] = this.history.steps;
		return {
			...first.settings,
			maxEntries: first.settings.maxEntries + 30,
			lookbackMs: this.history.lookbackMs,
		};
	}

	/** n8n tries an activation again that fails. */
	private async activate(): Promise<void> {
		const { service, calmSettings: settings } = this;
		for (let tries = 0; tries < 10; tries++, service.now += 60_000) {
			const poll = { clock: service.clock, deadline: service.clock.now() + 240_000 };
			service.beginPoll(FINE_WEATHER, service.now + 240_000);
			const moment = await serverNow(service, poll);
			const reading = new LogReading(
				freshState(SCOPE, moment - settings.lookbackMs),
				{ ...settings, maxEntries: 20_000 },
				{ now: service.clock.now(), memory: this.memory },
			);
			const failure = await readLog(service, reading, poll);
			this.memory = reading.memory;
			if (failure) continue;
			// Without time for all of the lookback it begins at the moment: docs/guarantees.md says so.
			const known = reading.reachedEnd ? service.visible() : this.history.entries;
			return this.begin(
				reading.startingAt(moment),
				known.filter(({ time }) => time < moment),
			);
		}
		throw new Error('it cannot be activated');
	}

	private begin(state: PollState, older: ModelEntry[]): void {
		for (const { entry } of older) this.older.add(keyOf(entry));
		this.inMemory = { state: stored(state), delivered: new Set() };
		this.onDisk = this.inMemory;
		this.everOnDisk = [this.onDisk];
	}

	private async step(step: HistoryStep): Promise<void> {
		const { fate, back } = step;
		this.service.now += step.wait;
		const from = this.history.mode === 'durable' ? this.onDisk : this.inMemory;
		const { to, failed, count } = await this.poll(from, step);
		const threw = failed && count === 0;
		if (fate !== 'abandons' && !threw) {
			this.inMemory = to;
			if ((this.history.mode === 'durable' || count > 0) && fate !== 'crashes') this.store(to);
		}
		if (fate === 'rewinds') this.store(this.everOnDisk.at(-1 - back) ?? this.everOnDisk[0]);
		if (fate === 'carriesOn') return;
		this.inMemory = this.onDisk;
		this.memory = undefined;
	}

	private store(position: Position): void {
		this.onDisk = position;
		this.everOnDisk.push(position);
	}

	private async poll(
		from: Position,
		{ settings, weather, budget, credential }: Omit<HistoryStep, 'wait' | 'fate' | 'back'>,
	): Promise<{ to: Position; failed: boolean; count: number }> {
		const { service } = this;
		const { clock } = service;
		const deadline = clock.now() + budget;
		service.beginPoll(weather, service.now + budget, credential);
		const recognizedFrom = (state: PollState) =>
			recognized(state.credential, `credential ${credential}`);
		const readFrom = async (state: PollState, isAnswered = false) => {
			const reading = readingFrom(state, settings, {
				now: clock.now(),
				memory: this.memory,
				credential: recognizedFrom(state),
			});
			const failure = await readLog(service, reading, { deadline, clock, isAnswered });
			this.memory = reading.memory;
			return { reading, failure };
		};
		let { reading, failure } = await readFrom(from.state);
		while (reading.mustReadAgain) {
			({ reading, failure } = await readFrom(reading.state, reading.hasRead));
		}
		if (reading.isOtherLog) throw new Error('the same log is taken for another');
		if (service.calls > 2000) throw new Error('calls without an end');
		const { newEntries } = reading;
		// With another credential it reads on until it knows whether it is the same log.
		const most = recognizedFrom(from.state).isOther ? Infinity : settings.maxEntries;
		if (newEntries.length > most) throw new Error('more than one poll may deliver');
		const delivered = new Set(from.delivered);
		for (const { entry } of newEntries) {
			const key = keyOf(entry);
			const isAgain = delivered.has(key) || this.older.has(key);
			if (isAgain && !this.mayRepeat) throw new Error(`twice: ${key}`);
			delivered.add(key);
		}
		const to = { state: stored(reading.state), delivered };
		return { to, failed: failure !== undefined, count: newEntries.length };
	}

	/** The service is well, and n8n polls each minute: now everything must come. */
	private async getWell(): Promise<void> {
		const { service, history } = this;
		const last = Math.max(...history.entries.map(({ appearsAt }) => appearsAt));
		service.now = Math.max(service.now, last) + 60_000;
		const weather = { ...FINE_WEATHER, callMs: history.calmCallMs };
		let position = history.mode === 'durable' ? this.onDisk : this.inMemory;
		const lasting = history.entries.filter(({ goneAt }) => goneAt === undefined);
		const wanted = lasting.map(({ entry }) => keyOf(entry));
		const missing = () =>
			wanted.filter((key) => !position.delivered.has(key) && !this.older.has(key));
		for (let polls = 0, quiet = 0; quiet < 2; polls++) {
			if (polls > MOST_POLLS) {
				throw new Error(`stuck, ${missing().length} missing: ${JSON.stringify(position.state)}`);
			}
			const settings = this.calmSettings;
			const credential = history.changesCredential ? polls : 0;
			const calm = { settings, weather, budget: 40_000, credential };
			const { to, failed, count } = await this.poll(position, calm);
			if (!failed || count > 0) position = to;
			quiet = count > 0 || failed || missing().length > 0 ? 0 : quiet + 1;
			service.now += 60_000;
		}
	}
}
