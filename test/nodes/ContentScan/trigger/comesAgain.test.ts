import { watchedForAnHour } from './support/feedSettings';
import { LifeOfFeed, START } from './support/lifeOfFeed';
import { ModelScanList } from './support/modelScanList';

const MINUTE = 60;

it('a batch that comes again after a verdict has come to its unfinished scan holds the scan as finished', async () => {
	const created = START + 30;
	const verdicts = [{ at: START + 70 * MINUTE, code: 'CLN' }];
	const list = new ModelScanList([{ id: 'a 1', created, listed: created, verdicts }]);
	const life = new LifeOfFeed(list, watchedForAnHour);
	for (let minute = 1; minute < 90; minute++) {
		await life.poll(START + minute * MINUTE, minute < 80);
	}
	expect(life.delivered).toMatchObject([{ event: 'finished', code: 'CLN' }]);
});
