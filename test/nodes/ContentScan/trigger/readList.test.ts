import { listBudget } from '../../../../services/scanning/listBudget';
import { MOST_ON_A_PAGE } from '../../../../services/pageCircle';
import { readList } from '../../../../nodes/ContentScan/trigger/readList';
import { FeedReading } from '../../../../nodes/ContentScan/trigger/reading/feedReading';
import { PollTime } from '../../../../nodes/ContentScan/trigger/reading/pollTime';
import { freshState } from '../../../../nodes/ContentScan/trigger/reading/feedState';
import { FakeClock } from '../../../support/fakeClock.cts';
import { FakeService, Refusal, scanService } from '../support/fakeService';
import { unread } from './support/unread';

const MINUTE = 60_000;

const settings = {
	isChosen: (code: string) => code === 'MAL',
	tellsUnfinished: false,
	verdictChanges: false,
	watchSeconds: 3600,
	maxScans: 1000,
};

/** A trigger whose list is this, and whose service tells its time as the test has it. */
function trigger(listed: (start: number, end: number) => object[] | Refusal, hasCount = false) {
	const clock = new FakeClock();
	const times = { aheadMs: 0 };
	const service = new FakeService(
		({ call }) => {
			const { start, end } = call?.query as { start: number; end: number };
			const results = listed(start, end);
			if (results instanceof Refusal) return results;
			return { results, ...(hasCount && { count: results.length }) };
		},
		() => new Date(clock.now() + times.aheadMs).toUTCString(),
	);
	const scans = scanService(service);
	let state = freshState('here', clock.now() / 1000);
	const poll = async () => {
		await clock.advance(MINUTE);
		const reading = new FeedReading(state, settings, new PollTime(Math.floor(clock.now() / 1000)));
		const deadline = clock.now() + MINUTE;
		const budget = listBudget(scans, 'trigger', clock);
		const list = { scans, budget, filters: {}, clock, deadline, ...unread() };
		const failure = await readList(list, reading);
		state = JSON.parse(JSON.stringify(reading.result().state));
		return { failure, ids: reading.result().events.map(({ record }) => record?.id) };
	};
	return { clock, times, service, poll };
}

const malicious = (id: number, created: number) => ({
	id,
	created_at: new Date(created * 1000).toISOString(),
	finished_at: new Date(created * 1000).toISOString(),
	verbose_verdict: 'MAL',
});

it.each([
	['a year ahead', 365 * 24 * 60 * MINUTE],
	['a year back', -365 * 24 * 60 * MINUTE],
	['some hours ahead', 5 * 60 * MINUTE],
	['some hours back', -5 * 60 * MINUTE],
])('one answer whose date is %s loses no scan', async (_, aheadMs) => {
	const all: Array<{ id: number; created: number }> = [];
	const { clock, times, poll } = trigger((start, end) =>
		all
			.filter(({ created }) => created >= start && created <= end)
			.map(({ id, created }) => malicious(id, created)),
	);
	await poll();
	times.aheadMs = aheadMs;
	await poll();
	times.aheadMs = 0;
	for (let polls = 0; polls < 15; polls++) await poll();
	all.push({ id: 7, created: clock.now() / 1000 });
	expect((await poll()).ids).toEqual([7]);
});

it('a page may hold as many scans as are allowed', async () => {
	const ids = Array.from({ length: MOST_ON_A_PAGE }, (_, id) => id);
	const { poll } = trigger((start) => ids.map((id) => malicious(id, start)));
	expect((await poll()).failure).toBeUndefined();
});

it('a window is whole where the count is of records, and a scan has two of them', async () => {
	let created = 0;
	const { clock, service, poll } = trigger((start, end) => {
		const isShown = created >= start && created <= end;
		return isShown ? [malicious(1, created), malicious(1, created)] : [];
	}, true);
	created = clock.now() / 1000;
	expect((await poll()).ids).toEqual([1]);
	for (let minute = 2; minute <= 5; minute++) await poll();
	expect(service.sent).toHaveLength(5);
});

it.each([0, 1, 30])(
	'takes two calls a poll from a service that refuses an end in the future, its clock %i s behind',
	async (behind) => {
		const all: Array<{ id: number; created: number }> = [];
		const { clock, times, service, poll } = trigger((start, end) =>
			end > clock.now() / 1000 - behind
				? new Refusal(400)
				: all
						.filter(({ created }) => created >= start && created <= end)
						.map(({ id, created }) => malicious(id, created)),
		);
		times.aheadMs = -1000 * behind;
		const came: unknown[] = [];
		for (let minute = 0; minute < 23; minute++) {
			if (minute < 20) all.push({ id: minute, created: clock.now() / 1000 + 30 - behind });
			const { length } = service.sent;
			const { failure, ids } = await poll();
			expect(failure).toBeUndefined();
			came.push(...ids);
			expect(service.sent.length - length).toBeLessThanOrEqual(3);
		}
		expect(came).toEqual(all.map(({ id }) => id));
	},
);

it.each(['redirect', 'forbidden', 'notFound'] as const)(
	'where each window is refused (%s), a poll finds that out with few calls',
	async (kind) => {
		const { service, poll } = trigger(() => new Refusal(0, kind));
		for (let polls = 0; polls < 3; polls++) expect((await poll()).failure).toBeDefined();
		expect(service.sent.length).toBeLessThanOrEqual(3 * 4);
	},
);

it.each(['proxyRefused', 'noSecureConnection', 'unauthorized'] as const)(
	'a call that fails with %s ends the poll: no other window would be answered',
	async (kind) => {
		const { service, poll } = trigger(() => new Refusal(0, kind));
		expect((await poll()).failure).toBeDefined();
		expect(service.sent).toHaveLength(1);
	},
);

it('a call may wait in the queue for all of the time, and for its answer for half of it', async () => {
	const { service, clock, poll } = trigger(() => []);
	await poll();
	const [{ context }] = service.sent;
	expect(context).toMatchObject({
		deadline: clock.now() + MINUTE,
		answerWithinMs: MINUTE / 2,
		isUrgent: true,
	});
});
