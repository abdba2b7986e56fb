/** The times of the last `spanMs` milliseconds, in the order in which they came. */
export class SlidingWindow {
	private times: number[] = [];

	/** Index of the oldest time still kept; what lies before it is cleared out now and then. */
	private first = 0;

	constructor(readonly spanMs: number) {}

	get count(): number {
		return this.times.length - this.first;
	}

	/** @param time not before any time added earlier */
	add(time: number): void {
		this.times.push(time);
	}

	/** Drops every time that is `spanMs` old at `now`. */
	slideTo(now: number): void {
		while (this.first < this.times.length && this.times[this.first] + this.spanMs <= now) {
			this.first += 1;
		}
		if (this.first > 1000 && this.first * 2 > this.times.length) {
			this.times = this.times.slice(this.first);
			this.first = 0;
		}
	}

	/** The `position`th oldest time, counted from 0; `undefined` when there are fewer. */
	time(position: number): number | undefined {
		return this.times[this.first + position];
	}
}
