import { firstIndexWhere, fraction, hexDigits, mix } from '../deterministic.cts';
import { asciiJson } from '../jsonValue.cts';
import { isoTime } from './isoTime.cts';

/** How many entries share one pattern of bursts, silences and ties. */
const blockSize = 256;
const tieSize = 12;
const dayMs = 86_400_000;

/** A stretch of the log with its own pace: index and time of an entry follow from each other. */
interface Stretch {
	firstIndex: number;
	/** Infinity while the stretch still grows. */
	count: number;
	timeOf(offset: number): number;
}

/**
 * The log's own entries: entry i and its time are pure functions of the seed and i, so that any
 * number of them costs no memory. Times never fall with i; they come in ties by the dozen, bursts
 * and silences. After the history come the live entries, at `ratePerMinute` of the clock.
 */
export class GeneratedEntries {
	private readonly stretches: Stretch[];

	constructor(
		private readonly seed: number,
		history: { entries: number; days: number; endMs: number },
		ratePerMinute: number,
	) {
		this.stretches = [
			historyStretch(seed, history.entries, history.days * dayMs, history.endMs),
			liveStretch(seed, history.entries, history.endMs, ratePerMinute),
		];
	}

	/** Goes on at another pace from a moment on. */
	changeRate(ratePerMinute: number, nowMs: number): void {
		const last = this.last();
		last.count = visibleIn(last, nowMs);
		const firstIndex = last.firstIndex + last.count;
		this.stretches.push(liveStretch(this.seed, firstIndex, nowMs, ratePerMinute));
	}

	/** How many entries exist by a moment. */
	countBy(nowMs: number): number {
		const last = this.last();
		return last.firstIndex + visibleIn(last, nowMs);
	}

	/** When entry `index` was created, in milliseconds since the epoch. */
	timeOf(index: number): number {
		let position = this.stretches.length - 1;
		while (this.stretches[position].firstIndex > index) position -= 1;
		const stretch = this.stretches[position];
		return stretch.timeOf(index - stretch.firstIndex);
	}

	/** The first of `count` entries created at or after a moment; `count` when there is none. */
	firstAtOrAfter(ms: number, count: number): number {
		return firstIndexWhere(count, (index) => this.timeOf(index) >= ms);
	}

	private last(): Stretch {
		return this.stretches[this.stretches.length - 1];
	}
}

function historyStretch(seed: number, entries: number, spanMs: number, endMs: number): Stretch {
	const blocks = Math.max(1, Math.ceil(entries / blockSize));
	const blockMs = spanMs / blocks;
	return {
		firstIndex: 0,
		count: entries,
		timeOf(offset) {
			const block = Math.floor(offset / blockSize);
			const within = shape(mix(seed, block) % 4, offset % blockSize);
			return Math.floor(endMs - spanMs + blockMs * (block + within));
		},
	};
}

/** Where in its block, from 0 to 1, an entry lies: evenly, in a burst, in ties, or late after silence. */
function shape(kind: number, position: number): number {
	const share = position / blockSize;
	if (kind === 0) return share;
	if (kind === 1) return share * 0.005;
	if (kind === 2) return (Math.floor(position / tieSize) * tieSize) / blockSize;
	return 0.9 + share * 0.1;
}

function liveStretch(seed: number, firstIndex: number, startMs: number, rate: number): Stretch {
	const intervalMs = 60_000 / rate;
	return {
		firstIndex,
		count: rate > 0 ? Infinity : 0,
		timeOf(offset) {
			const group = Math.floor(offset / tieSize);
			const tied = mix(seed + 7, group) % 4 === 0;
			const place = tied ? (group + 1) * tieSize - 0.5 : offset + fraction(seed + 8, offset);
			return Math.floor(startMs + place * intervalMs);
		},
	};
}

function visibleIn(stretch: Stretch, nowMs: number): number {
	if (stretch.count !== Infinity) return stretch.count;
	let bound = 1;
	while (stretch.timeOf(bound - 1) <= nowMs) bound *= 2;
	return firstIndexWhere(bound, (offset) => stretch.timeOf(offset) > nowMs);
}

const usualStart = 'al-';
const oddForms: ReadonlyArray<(hex: string) => string> = [
	(hex) => `al/${hex}/../x`,
	(hex) => `al%2e%2e%2f${hex}`,
	(hex) => `al ${hex} ü☃`,
	(hex) => `al?${hex}=#&+`,
	(hex) => `..${hex}`,
];

/** The opaque id of an entry. One in ten holds characters that must be encoded in a path. */
export function idOf(seed: number, index: number): string {
	const hex = hexDigits(seed + 3, index);
	const form = oddForms[mix(seed + 4, index) % 50];
	return `${form ? form(hex) : usualStart + hex}-${index.toString(36)}`;
}

/** The index behind an id that `idOf` made with the same seed; null for any other text. */
export function indexOf(seed: number, id: string): number | null {
	const index = parseInt(id.slice(id.lastIndexOf('-') + 1), 36);
	return Number.isSafeInteger(index) && idOf(seed, index) === id ? index : null;
}

/** The usual ids need no escaping; to look is dearer than to write. */
function idJson(id: string): string {
	return id.startsWith(usualStart) ? `"${id}"` : asciiJson(id);
}

const actions = ['login', 'policy.update', 'user.invite', 'user.remove', 'report.export', 'logout'];
const outcomes = ['success', 'success', 'success', 'failure'];

export interface FieldNames {
	idField: string | null;
	timestampField: string | null;
}

/** An entry as JSON text. Everything but id and timestamp is invented: docs/interface.md shows no fields. */
export function entryJson(
	seed: number,
	index: number,
	id: string,
	timeMs: number,
	{ idField, timestampField }: FieldNames,
): string {
	const h = mix(seed + 5, index);
	const idPart = idField === null ? '' : `"${idField}":${idJson(id)},`;
	const timePart = timestampField === null ? '' : `"${timestampField}":"${isoTime(timeMs)}",`;
	const admin = `admin${h % 40}@parent.example`;
	return (
		`{${idPart}${timePart}"action":"${actions[h % actions.length]}",` +
		`"actor":{"email":"${admin}","ip":"203.0.113.${h % 254}"},` +
		`"target":{"type":"user","id":"u-${(h >>> 8) % 5000}"},` +
		`"outcome":"${outcomes[(h >>> 4) % outcomes.length]}","browser":"Chrome ${120 + (h % 12)}"}`
	);
}
