import type { StoredTrial } from '../../../../nodes/ContentScan/trigger/reading/trial';
import { Trial } from '../../../../nodes/ContentScan/trigger/reading/trial';

const NOW = 1_000_000;
/** What is tried: half an hour ahead of n8n's clock. */
const TRIED = NOW + 1800;

function passes(
	seen: Array<{ created: number; isNew: boolean; times?: number }>,
	{ isStuck = false, stored = {} as StoredTrial } = {},
) {
	const trial = new Trial({ settledTo: TRIED, ...stored }, NOW);
	for (const { created, isNew, times = 1 } of seen) {
		for (let time = 0; time < times; time++) trial.sees(created, isNew);
	}
	return trial.passedTo(isStuck) === TRIED;
}

const ahead = { created: TRIED + 5, isNew: true };
const again = { created: TRIED - 5, isNew: false };
const notAhead = { created: NOW - 5, isNew: true };

it('many new scans that are all ahead tell that n8n is behind', () => {
	expect(passes([{ ...ahead, times: 19 }])).toBe(false);
	expect(passes([{ ...ahead, times: 20 }])).toBe(true);
	expect(passes([{ ...ahead, times: 10 }], { stored: { agreeing: 10 } })).toBe(true);
});

it('one that is not ahead tells for an hour that it is not', () => {
	expect(passes([notAhead, { ...ahead, times: 50 }])).toBe(false);
	const failed = (failedAt: number) => ({ stored: { agreeing: 50, failedAt } });
	expect(passes([], failed(NOW - 3500))).toBe(false);
	expect(passes([], failed(NOW - 3700))).toBe(true);
});

it('what is read again tells little, and where no poll comes to new scans, enough', () => {
	expect(passes([{ ...again, times: 50 }])).toBe(false);
	expect(passes([{ ...again, times: 2 }], { isStuck: true })).toBe(false);
	expect(passes([{ ...again, times: 3 }], { isStuck: true })).toBe(true);
	expect(passes([notAhead, { ...again, times: 3 }], { isStuck: true })).toBe(false);
});

describe('once it is told', () => {
	const passedAt = (at: number) => new Trial({ settledTo: TRIED, passedAt: at }, NOW);

	it('it counts for an hour, so that busy lists are not read twice', () => {
		expect(passedAt(NOW - 3500).passedTo(false)).toBe(Infinity);
		expect(passedAt(NOW - 3500).next(undefined, true)).toEqual({ passedAt: NOW - 3500 });
	});

	it('it must be told anew after an hour: scans that are not ahead come to be seen then', () => {
		const trial = new Trial({ settledTo: TRIED, agreeing: 20 }, NOW);
		expect(trial.next(undefined, true)).toEqual({ passedAt: NOW });
		expect(passedAt(NOW - 3700).passedTo(false)).toBe(-Infinity);
		expect(passedAt(NOW - 3700).next(TRIED, false)).toEqual({ settledTo: TRIED, agreeing: 0 });
	});

	it('a scan that is not ahead ends it at once', () => {
		const trial = passedAt(NOW - 10);
		trial.sees(NOW, true);
		expect(trial.passedTo(false)).toBe(-Infinity);
		expect(trial.next(TRIED, false)).toEqual({ settledTo: TRIED, agreeing: 0, failedAt: NOW });
	});
});

it('nothing is tried where nothing is ahead', () => {
	const trial = new Trial({}, NOW);
	trial.sees(NOW + 100, true);
	expect(trial.next(undefined, false)).toMatchObject({ agreeing: 0 });
	expect(trial.passedTo(true)).toBe(-Infinity);
});
