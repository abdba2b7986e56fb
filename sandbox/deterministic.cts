/**
 * A well-mixed number from a seed and an index (murmur3's finalizer over both): the same for the
 * same input in every run, so that a million entries need no memory.
 * @returns an integer from 0 to 2^32 - 1.
 */
export function mix(seed: number, index: number): number {
	let h = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(index | 0, 0xcc9e2d51);
	h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
	h ^= Math.imul(Math.floor(index / 4294967296), 0x27d4eb2f);
	h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
	return (h ^ (h >>> 16)) >>> 0;
}

/** A number in [0, 1) from a seed and an index. */
export function fraction(seed: number, index: number): number {
	return mix(seed, index) / 4294967296;
}

/** Eight lower-case hexadecimal digits from a seed and an index. */
export function hexDigits(seed: number, index: number): string {
	return mix(seed, index).toString(16).padStart(8, '0');
}

/** A UUID-shaped text from a seed and an index. */
export function uuidLike(seed: number, index: number): string {
	const a = hexDigits(seed, index);
	const b = hexDigits(seed + 1, index);
	const c = hexDigits(seed + 2, index);
	const d = hexDigits(seed + 3, index);
	return `${a}-${b.slice(0, 4)}-4${b.slice(5)}-a${c.slice(0, 3)}-${c.slice(3)}${d.slice(0, 7)}`;
}

/** The first index in [0, count) for which `holds` is true, `count` when there is none. `holds` must stay true once true. */
export function firstIndexWhere(count: number, holds: (index: number) => boolean): number {
	let low = 0;
	let high = count;
	while (low < high) {
		const middle = Math.floor((low + high) / 2);
		if (holds(middle)) high = middle;
		else low = middle + 1;
	}
	return low;
}
