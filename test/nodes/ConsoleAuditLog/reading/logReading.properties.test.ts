import * as fc from 'fast-check';
import { PAGE_SIZES } from '../../../../nodes/ConsoleAuditLog/reading/pageSize';
import { propertyRuns } from '../../../support/propertyRuns.cts';
import { LifeOfTrigger } from '../support/lifeOfTrigger';
import type { LogKind } from '../support/scenario';
import { EQUALS, scenarios } from '../support/scenario';

/** Sizes at which a log of a few hundred entries is a backlog. */
beforeAll(() => {
	PAGE_SIZES.first = 5;
	PAGE_SIZES.growing = [5, 12, 50];
});

describe('whatever happens, nothing is lost and nothing comes twice', () => {
	it.each<LogKind>(['full', 'noId', 'noTime', 'someTimes', 'neither'])('log %s', (kind) => {
		// Without IDs the entries of one moment have to fit on a page: docs/guarantees.md says so.
		PAGE_SIZES.smallest = kind === 'noId' ? EQUALS + 1 : 2;
		fc.assert(
			fc.property(scenarios({ kinds: [kind] }), (scenario) => new LifeOfTrigger(scenario).run()),
			propertyRuns(500),
		);
	});
});
