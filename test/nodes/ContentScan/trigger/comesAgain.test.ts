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

it('a scan of such a batch comes again with its new verdict, although its second was refused meanwhile', async () => {
	const created = START + 30;
	const verdicts = [
		{ at: created, code: 'MAL' },
		{ at: START + 100, code: 'CLN' },
	];
	const refused = { failsFrom: START + 110, failsUntil: START + 850 };
	const list = new ModelScanList([{ id: 'a 1', created, listed: created, verdicts, ...refused }]);
	const settings = { ...watchedForAnHour, isChosen: (code: string) => code === 'MAL' };
	const life = new LifeOfFeed(list, settings);
	await life.poll(START + MINUTE, true);
	expect([...life.owed]).toEqual(['a 1']);
	for (let minute = 2; minute < 30; minute++) await life.poll(START + minute * MINUTE);
	expect(life.delivered).toMatchObject([{ id: 'a 1', code: 'CLN' }]);
});
