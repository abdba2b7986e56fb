import type { Lookup } from '../../../../nodes/ContentScan/verdict/listLookup';
import { WindowLength } from '../../../../nodes/ContentScan/verdict/windowLength';

const SECOND = 1000;

const READ: Lookup = {
	records: new Map(),
	incomplete: new Set(),
	failure: undefined,
	isTooLong: false,
	isSilent: false,
};
const REFUSED: Lookup = { ...READ, failure: new Error('400'), isTooLong: true };
const SILENT: Lookup = { ...READ, failure: new Error('silent'), isSilent: true };

/** A lookup that began at a second and took so many. */
const went = (lookup: Lookup, began = 0, took = 1, isOutOfTime = false) => ({
	...{ lookup, isOutOfTime },
	...{ began: began * SECOND, ended: (began + took) * SECOND },
});

/** Lengths after each of several refusals. */
function refused(length: WindowLength, times: number) {
	return Array.from({ length: times }, () => {
		length.goOn(went(REFUSED), false);
		return length.seconds;
	});
}

it('becomes shorter with each refusal, down to a minute', () => {
	const length = new WindowLength();
	expect(length.canShorten(went(REFUSED))).toBe(true);
	expect(refused(length, 6)).toStrictEqual([900, 450, 225, 112, 60, 60]);
	expect(length.canShorten(went(REFUSED))).toBe(false);
});

it('is doubled where the list, though it was read, does not show a scan for long, and after five minutes', () => {
	const length = new WindowLength();
	refused(length, 2);
	const lengths = [
		[true, 10],
		[false, 20],
		[false, 310],
	].map(([isMissing, second]) => {
		length.goOn(went(READ, Number(second)), Boolean(isMissing));
		return length.seconds;
	});
	expect(lengths).toStrictEqual([900, 900, undefined]);
});

it('is doubled where a lookup had no time for so many windows, and kept after another failure', () => {
	const length = new WindowLength();
	refused(length, 2);
	const failed = { ...READ, failure: new Error('429') };
	length.goOn(went(failed, 400), true);
	expect(length.seconds).toBe(450);
	length.goOn(went(failed, 400, 120, true), false);
	expect(length.seconds).toBe(900);
});

it('gives an answer twice as long after each lookup that took long in vain, until one is quick, or for five minutes', () => {
	const length = new WindowLength();
	const seconds = () => length.answerWithinMs / SECOND;
	const after = (one: Parameters<typeof went>) => {
		length.noteSilence(went(...one));
		return seconds();
	};
	expect(seconds()).toBe(20);
	expect(after([SILENT, 0, 1])).toBe(20);
	expect(after([SILENT, 0, 20])).toBe(40);
	expect(after([SILENT, 30, 40])).toBe(80);
	expect(after([READ, 100, 25])).toBe(80);
	expect(after([READ, 330, 25])).toBe(20);
	expect(after([SILENT, 400, 20])).toBe(40);
	expect(after([READ, 430, 1])).toBe(20);
});

it('is the shortest after two lookups that took long in vain', () => {
	const length = new WindowLength();
	for (const began of [0, 30]) length.noteSilence(went(SILENT, began, 25));
	expect(refused(length, 1)).toStrictEqual([60]);
});

it('is as at first once nothing waits', () => {
	const length = new WindowLength();
	for (const began of [0, 30]) length.noteSilence(went(SILENT, began, 25));
	refused(length, 1);
	length.forget();
	expect([length.seconds, length.answerWithinMs]).toStrictEqual([undefined, 20 * SECOND]);
});
