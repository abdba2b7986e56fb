/** A binary heap from which any item can be taken. Adding and removing cost O(log n). */
export class PriorityQueue<T extends object> {
	private readonly items: T[] = [];

	private readonly positions = new Map<T, number>();

	/** @param rank the item with the lowest rank comes first; it must not change while queued */
	constructor(private readonly rank: (item: T) => number) {}

	get size(): number {
		return this.items.length;
	}

	/** The item with the lowest rank. */
	first(): T | undefined {
		return this.items[0];
	}

	add(item: T): void {
		this.items.push(item);
		this.rise(item, this.items.length - 1);
	}

	/** Takes `item` out; nothing happens when it is not in the queue. */
	remove(item: T): void {
		const position = this.positions.get(item);
		if (position === undefined) return;
		this.positions.delete(item);
		const last = this.items.pop();
		if (last === undefined || last === item) return;
		this.sink(last, position);
		this.rise(last, this.positions.get(last) ?? position);
	}

	private rise(item: T, from: number): void {
		let position = from;
		while (position > 0) {
			const parent = this.items[(position - 1) >> 1];
			if (this.rank(parent) <= this.rank(item)) break;
			this.place(parent, position);
			position = (position - 1) >> 1;
		}
		this.place(item, position);
	}

	private sink(item: T, from: number): void {
		let position = from;
		for (;;) {
			const child = this.lowerChild(position);
			if (child === undefined || this.rank(item) <= this.rank(this.items[child])) break;
			this.place(this.items[child], position);
			position = child;
		}
		this.place(item, position);
	}

	private lowerChild(position: number): number | undefined {
		const left = 2 * position + 1;
		if (left >= this.items.length) return undefined;
		const right = left + 1;
		if (right >= this.items.length) return left;
		return this.rank(this.items[left]) <= this.rank(this.items[right]) ? left : right;
	}

	private place(item: T, position: number): void {
		this.items[position] = item;
		this.positions.set(item, position);
	}
}
