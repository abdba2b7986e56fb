import { FakeClock } from '../../../support/fakeClock.cts';
import { nodeOnFamily } from '../support/nodeOnFamily';
import { ScanServiceFamily, USUAL } from '../support/scanServiceFamily';

const MINUTE = 60_000;

/** The most calls within any minute. */
function mostInAMinute(times: number[]): number {
	return Math.max(
		...times.map((time) => times.filter((one) => one >= time && one < time + MINUTE).length),
	);
}

// docs/content-scan.md tells these figures.
it.each([
	[10, 100, 40],
	[40, 100, 40],
	[200, 100, 40],
	[200, 40, 28],
])(
	'twenty executions a minute of one URL each, where a scan takes %d s, with %d calls a minute: at most %d',
	async (takes, callsPerMinute, most) => {
		const clock = new FakeClock();
		const plan = () => ({ takes, code: 'CLN', partCode: 'CLN' });
		const family = new ScanServiceFamily(USUAL, clock, plan, [], 500);
		const run = nodeOnFamily(family, clock, callsPerMinute);
		const executions: Array<ReturnType<typeof run>> = [];
		for (let index = 0; index < 300; index++) {
			const url = `https://example.com/${index}`;
			executions.push(
				run({ parameters: { resource: 'scan', operation: 'scanUrl', url, options: {} } }),
			);
			await clock.advance(3000);
		}
		await clock.run();
		const items = await Promise.all(executions);
		expect(items.every(([{ json }]) => json.clean === true)).toBe(true);
		expect(mostInAMinute(family.callTimes)).toBe(most);
	},
);

it('an execution goes on with fewer calls a minute once they were lowered in the credential', async () => {
	const clock = new FakeClock();
	const plan = () => ({ takes: 10, code: 'CLN', partCode: 'CLN' });
	const family = new ScanServiceFamily(USUAL, clock, plan, [], 500);
	const run = nodeOnFamily(family, clock);
	const url = 'https://example.com/';
	const options = { concurrency: 100 };
	const parameters = {
		resource: 'scan',
		operation: 'scanUrl',
		url,
		waitForVerdict: false,
		options,
	};
	const older = run({ parameters, items: 250 });
	await clock.advance(MINUTE / 2);
	const newer = run({ parameters }, 10);
	await clock.run();
	expect(await Promise.all([older, newer])).toMatchObject([{ length: 250 }, { length: 1 }]);
	expect(family.callTimes).toHaveLength(251);
	expect(mostInAMinute(family.callTimes.slice(100))).toBe(10);
});
