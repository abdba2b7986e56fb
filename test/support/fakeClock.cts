import { setImmediate as macrotask } from 'node:timers/promises';
import type { Clock } from '../../transport/clock.ts';

interface Sleeper {
	at: number;
	number: number;
	wake: () => void;
}

export interface FakeClockOptions {
	/** Where the clock starts, in milliseconds. */
	start?: number;
	/** How much too early (negative) or late a sleep ends, in milliseconds. */
	error?: () => number;
}

/** For runs in fake time: real pauses would be in its way. */
export const noPauses = () => async () => {};

/** A clock that goes on only when told, from one sleeper to the next. */
export class FakeClock implements Clock {
	/** Monotonic. */
	private time = 0;

	/** What the wall clock shows at time 0. */
	private epoch: number;

	private sleepers: Sleeper[] = [];

	private count = 0;

	constructor(private readonly options: FakeClockOptions = {}) {
		this.epoch = options.start ?? 1_700_000_000_000;
	}

	/** How many sleeps have not ended yet. */
	get sleeping(): number {
		return this.sleepers.length;
	}

	now(): number {
		return this.epoch + this.time;
	}

	monotonic(): number {
		return this.time;
	}

	async sleep(ms: number, signal?: AbortSignal): Promise<void> {
		if (ms <= 0 || signal?.aborted) return;
		await new Promise<void>((resolve) => {
			// As a timer: in whole milliseconds, and one at least.
			const at = this.time + Math.max(1, Math.ceil(ms + (this.options.error?.() ?? 0)));
			const sleeper = { at, number: this.count++, wake: () => end() };
			const end = () => {
				signal?.removeEventListener('abort', end);
				const position = this.sleepers.indexOf(sleeper);
				if (position >= 0) this.sleepers.splice(position, 1);
				resolve();
			};
			signal?.addEventListener('abort', end);
			this.insert(sleeper);
		});
	}

	/** Sets the wall clock, also back: those who sleep do not notice. */
	set(time: number): void {
		this.epoch = time - this.time;
	}

	/** Goes on by `ms`, waking whoever's time comes. */
	async advance(ms: number): Promise<void> {
		await this.runUntil(this.time + ms);
	}

	/** Goes on until nobody sleeps, or to `limit` in monotonic time. */
	async run(limit = Infinity): Promise<void> {
		await macrotask();
		for (;;) {
			const next = this.sleepers[0];
			if (!next || next.at > limit) return;
			this.time = Math.max(this.time, next.at);
			for (const sleeper of this.due()) sleeper.wake();
			await macrotask();
		}
	}

	private due(): Sleeper[] {
		const first = this.sleepers.findIndex(({ at }) => at > this.time);
		return this.sleepers.splice(0, first < 0 ? this.sleepers.length : first);
	}

	private async runUntil(time: number): Promise<void> {
		await this.run(time);
		this.time = Math.max(this.time, time);
	}

	private insert(sleeper: Sleeper): void {
		let low = 0;
		let high = this.sleepers.length;
		while (low < high) {
			const middle = (low + high) >> 1;
			if (this.sleepers[middle].at <= sleeper.at) low = middle + 1;
			else high = middle;
		}
		this.sleepers.splice(low, 0, sleeper);
	}
}
