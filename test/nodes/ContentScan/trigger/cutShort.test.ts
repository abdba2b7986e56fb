import { START } from './support/histories';
import { LifeOfFeed } from './support/lifeOfFeed';
import type { PageFault } from './support/modelList';
import { ModelList } from './support/modelList';

/** Twenty malicious scans of one second, in a list that gives five to a page and no window of more. */
function deliveredWith(fault: PageFault, minutes: number, countsAll = false): string[] {
	const created = START + 30;
	let minute = 1;
	const scans = Array.from({ length: 20 }, (_, index) => ({
		id: String(index).padStart(2, '0'),
		created,
		listed: created,
		verdicts: [{ at: created + 5, code: 'MAL' }],
	}));
	const list = new ModelList(
		scans,
		{
			pageSize: 5,
			longestWindow: Infinity,
			mostScans: 10,
			exactSeconds: false,
			countsAll,
			order: 'created',
		},
		() => (minute <= minutes ? fault : 'none'),
	);
	const settings = {
		isChosen: () => true,
		tellsUnfinished: true,
		verdictChanges: false,
		watchSeconds: 3600,
		maxScans: 1000,
	};
	const life = new LifeOfFeed(list, settings, { savesSilentPolls: true, callsPerPoll: 10 }, START);
	for (; minute < 60; minute++) life.poll(START + 60 * minute);
	return life.delivered.map(({ id }) => id!);
}

const ALL = Array.from({ length: 20 }, (_, index) => String(index).padStart(2, '0'));

it('a list whose pages lead in a circle is read again until it is whole', () => {
	expect(deliveredWith('repeats', 15).sort()).toEqual(ALL);
});

it('a list that ends too early is read again until it is whole', () => {
	expect(deliveredWith('endsEarly', 8).sort()).toEqual(ALL);
});

it('a count that is of something else does not keep the trigger from going on', () => {
	expect(deliveredWith('none', 0, true).sort()).toEqual(ALL);
});
