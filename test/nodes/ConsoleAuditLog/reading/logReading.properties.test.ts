import * as fc from 'fast-check';
import { PAGE_SIZES } from '../../../../nodes/ConsoleAuditLog/reading/pageSize';
import { propertyRuns } from '../../../support/propertyRuns.cts';
import { LifeOfTrigger } from '../support/lifeOfTrigger';
import type { LogKind } from '../support/scenario';
import { scenarios } from '../support/scenario';

/** Sizes at which a log of a few hundred entries is a backlog. */
beforeAll(() => {
	PAGE_SIZES.growing = [5, 12, 50];
	PAGE_SIZES.smallest = 2;
});

describe('whatever happens, nothing is lost and nothing comes twice', () => {
	it.each<LogKind>(['full', 'noId', 'noTime', 'someTimes', 'neither'])('log %s', (kind) => {
		fc.assert(
			fc.property(scenarios({ kinds: [kind] }), (scenario) => new LifeOfTrigger(scenario).run()),
			propertyRuns(500),
		);
	});
});
