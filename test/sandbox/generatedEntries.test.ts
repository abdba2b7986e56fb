import {
	entryJson,
	GeneratedEntries,
	idOf,
	indexOf,
} from '../../sandbox/console/generatedEntries.cts';
import { startMs } from './calls.cts';

const yearMs = 365 * 86_400_000;
const million = { entries: 1_000_000, days: 365, endMs: startMs };

describe('the generated log', () => {
	it('is the same for the same seed, and another for another', () => {
		const timesOf = (seed: number) => {
			const log = new GeneratedEntries(seed, million, 0);
			return Array.from({ length: 2_000 }, (_, index) => log.timeOf(index * 499));
		};
		expect(timesOf(5)).toEqual(timesOf(5));
		expect(timesOf(5)).not.toEqual(timesOf(6));
	});

	it('never goes back in time, with ties by the dozen, bursts and silences', () => {
		const log = new GeneratedEntries(1, million, 0);
		let [falls, longestTie, tie, longestSilence] = [0, 0, 0, 0];
		let last = log.timeOf(0);
		for (let index = 1; index < 50_000; index += 1) {
			const time = log.timeOf(index);
			if (time < last) falls += 1;
			tie = time === last ? tie + 1 : 0;
			longestTie = Math.max(longestTie, tie + 1);
			longestSilence = Math.max(longestSilence, time - last);
			last = time;
		}
		expect(falls).toBe(0);
		expect(longestTie).toBeGreaterThanOrEqual(12);
		expect(longestSilence).toBeGreaterThan(3_600_000);
		expect(log.timeOf(0)).toBeGreaterThanOrEqual(startMs - yearMs);
		expect(log.timeOf(999_999)).toBeLessThan(startMs);
	});

	it('finds the first entry at or after a moment', () => {
		const log = new GeneratedEntries(1, million, 0);
		for (const index of [0, 1, 77_777, 500_000, 999_999]) {
			const first = log.firstAtOrAfter(log.timeOf(index), million.entries);
			expect(first).toBeLessThanOrEqual(index);
			expect(log.timeOf(first)).toBe(log.timeOf(index));
			expect(first === 0 || log.timeOf(first - 1) < log.timeOf(first)).toBe(true);
		}
		expect(log.firstAtOrAfter(startMs, million.entries)).toBe(million.entries);
	});

	it('grows at its rate with the clock, and goes on at another one', () => {
		const log = new GeneratedEntries(1, { entries: 10, days: 1, endMs: startMs }, 120);
		expect(log.countBy(startMs)).toBeLessThanOrEqual(11);
		expect(log.countBy(startMs + 600_000)).toBeGreaterThan(1_190);
		log.changeRate(0, startMs + 600_000);
		const count = log.countBy(startMs + 600_000);
		expect(log.countBy(startMs + 900_000)).toBe(count);
		log.changeRate(60, startMs + 900_000);
		expect(log.timeOf(count)).toBeGreaterThanOrEqual(startMs + 900_000);
		expect(log.countBy(startMs + 960_000) - count).toBeGreaterThan(45);
	});

	it('gives every entry an id of its own that leads back to it, some of them odd', () => {
		const ids = Array.from({ length: 5_000 }, (_, index) => idOf(1, index));
		expect(new Set(ids).size).toBe(5_000);
		expect(ids.map((id) => indexOf(1, id))).toEqual(ids.map((_, index) => index));
		expect(indexOf(2, ids[7])).toBeNull();
		expect(['', '-', 'al-', 'al-00000000-7'].map((id) => indexOf(1, id))).toEqual(
			Array(4).fill(null),
		);
		for (const odd of ['/', '%2e', '☃', '?', '..']) {
			expect(ids.some((id) => id.includes(odd))).toBe(true);
		}
	});

	it('names the id and the time as it is told, or leaves them out', () => {
		const entry = (idField: string | null, timestampField: string | null) =>
			JSON.parse(entryJson(1, 0, 'a/ü', startMs + 7, { idField, timestampField }));
		expect(entry('auditlogId', 'createdAt')).toMatchObject({
			auditlogId: 'a/ü',
			createdAt: '2026-06-15T12:00:00.007Z',
		});
		expect(entry('uuid', null)).toHaveProperty('uuid', 'a/ü');
		expect(Object.keys(entry(null, null))).not.toContain('auditlogId');
	});
});
