import { watchedForAnHour } from './support/feedSettings';
import { LifeOfFeed, START } from './support/lifeOfFeed';
import { ModelScanList } from './support/modelScanList';
import { PLAIN } from './support/scanListTraits';

const MINUTE = 60;
const LAG = 8 * MINUTE;

/** A service with a replica that is eight minutes behind, and answers every third call. */
class ListWithReplica extends ModelScanList {
	override async send(...call: Parameters<ModelScanList['send']>) {
		const answer = await super.send(...call);
		const body = answer.body as { results: Array<{ created_at: string }>; count?: number };
		if (this.calls % 3 !== 0) return answer;
		const results = body.results.filter(
			({ created_at }) => Date.parse(created_at) <= this.now - LAG * 1000,
		);
		return { ...answer, body: { ...body, results, count: undefined } };
	}
}

it.each([20, 100])(
	'loses no scan that a replica which is behind leaves out now and then, and tells none twice (pages of %i)',
	async (pageSize) => {
		const scans = Array.from({ length: 1200 }, (_, index) => {
			const created = START + 3 * index;
			const at = created + (index % 10 < 7 ? 20 : (index % 50) * MINUTE);
			return { id: `scan ${index}`, created, listed: created, verdicts: [{ at, code: 'MAL' }] };
		});
		const list = new ListWithReplica(scans, { ...PLAIN, pageSize, count: 'missing' });
		const life = new LifeOfFeed(list, { ...watchedForAnHour, watchSeconds: 2 * 3600 });
		for (let minute = 1; minute <= 240; minute++) await life.poll(START + minute * MINUTE);
		const ids = life.delivered.map(({ id }) => id);
		expect(new Set(ids).size).toBe(scans.length);
		expect(ids).toHaveLength(scans.length);
	},
);
