import * as fc from 'fast-check';
import { PAGE_SIZES } from '../../../../nodes/ConsoleAuditLog/reading/pageSize';
import { DIGEST_BOUNDS } from '../../../../nodes/ConsoleAuditLog/reading/seenDigests';
import { propertyRuns } from '../../../support/propertyRuns.cts';
import { LifeOfTrigger } from '../support/lifeOfTrigger';
import type { LogKind } from '../support/scenario';
import { scenarios } from '../support/scenario';

/** Every log of a few hundred entries is a backlog, and too large for the state, which holds a page. */
beforeAll(() => {
	PAGE_SIZES.first = 5;
	PAGE_SIZES.growing = [5, 12, 20];
	PAGE_SIZES.smallest = 2;
	Object.assign(DIGEST_BOUNDS, { all: 20, row: 4 });
});

/** Where the bound makes the lookback shrink, late entries may not be found: there are none here. */
describe('where the state is too small for the log', () => {
	const run = (kind: LogKind, leastGap: number, mayRepeat: boolean) => {
		const bounds = { kinds: [kind], lateEntries: false, largestBurst: 80, leastGap };
		fc.assert(
			fc.property(scenarios(bounds), (scenario) => new LifeOfTrigger(scenario, mayRepeat).run()),
			propertyRuns(300),
		);
	};

	test('nothing is lost and nothing comes twice', () => run('full', 1001, false));

	it.each<[LogKind, number]>([
		['full', 0],
		['noTime', 1001],
		['someTimes', 1001],
		['neither', 1001],
	])('nothing is lost of many at one moment, or without a time: log %s', (kind, leastGap) =>
		run(kind, leastGap, true),
	);
});
