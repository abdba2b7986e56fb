import * as fc from 'fast-check';
import { GROWING_SIZES } from '../../nodes/ConsoleAuditLog/pageSize';
import { DIGEST_BOUNDS } from '../../nodes/ConsoleAuditLog/seenDigests';
import { propertyRuns } from '../support/propertyRuns';
import { LifeOfTrigger } from './support/lifeOfTrigger';
import type { LogKind } from './support/scenario';
import { scenarios } from './support/scenario';

/** Every log of a few hundred entries is a backlog, and too large for the state. */
beforeAll(() => {
	GROWING_SIZES.splice(0, Infinity, 5, 12, 50);
	Object.assign(DIGEST_BOUNDS, { all: 20, row: 4 });
});

/**
 * Where the bound makes the lookback shrink, late entries may not be found. All others are, and
 * nothing comes twice.
 */
describe('where the state is too small for the log, nothing is lost and nothing comes twice', () => {
	it.each<LogKind>(['full', 'noTime', 'someTimes', 'neither'])('log %s', (kind) => {
		fc.assert(
			fc.property(scenarios({ kinds: [kind], lateEntries: false, largestBurst: 80 }), (scenario) =>
				new LifeOfTrigger(scenario).run(),
			),
			propertyRuns(300),
		);
	});
});
