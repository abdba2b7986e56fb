import { BEGIN, entries, inOrder, MINUTE, trigger } from '../support/handPolledTrigger';
import { SETTINGS } from '../support/modelPoll';

/** A console that writes local times without a zone, east of UTC, and filters by the true ones. */
const AHEAD = 120 * MINUTE;
const log = entries(3600, 1000).map((one) => ({
	...one,
	entry: { ...one.entry, createdAt: new Date(one.time + AHEAD).toISOString().replace('Z', '') },
}));

describe('entries that are all dated hours ahead of the console’s clock', () => {
	test.each<Record<number, 'fails' | 'tokenRefused'>>([{}, { 1: 'tokenRefused' }, { 2: 'fails' }])(
		'come once where a backlog takes several polls, with the faults %j',
		(faults) => {
			const ticking = trigger(log, {}, BEGIN + 60 * MINUTE);
			ticking.settings = { ...SETTINGS, pageSize: 100, maxEntries: 500 };
			for (let poll = 0; poll < 40; poll++) {
				ticking.poll({ faults });
				ticking.now += MINUTE;
			}
			expect(ticking.came).toEqual(inOrder(3600));
		},
	);
});
