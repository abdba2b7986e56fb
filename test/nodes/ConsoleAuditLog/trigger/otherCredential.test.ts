import { active, entry, MINUTE, state } from '../support/triggerOnLog';
import type { ModelConsole } from '../support/modelConsole';
import type { ModelEntry } from '../support/modelLog';
import { ModelLog } from '../support/modelLog';

const DAY = 1440 * MINUTE;

describe('another credential', () => {
	const log = Array.from({ length: 60 }, (_, number) => entry(`a${number}`, number * 1000));
	const otherLog = Array.from({ length: 80 }, (_, number) => entry(`b${number}`, number * 1000));
	const idsOf = (entries: ModelEntry[]) => entries.map(({ entry: { auditlogId } }) => auditlogId);

	async function begun(startFrom: string) {
		const options = { pageSize: 20, maxEntriesPerPoll: 20 };
		const { console, trigger } = active(log, { startFrom: 'oldest', options }, 120 * MINUTE);
		trigger.parameters = { startFrom, options };
		if (startFrom === 'now') trigger.parameters.startFrom = 'oldest';
		expect(await trigger.ids()).toEqual(idsOf(log.slice(0, 20)));
		expect(state(trigger).resume).toHaveProperty('token');
		trigger.parameters = { startFrom, options };
		console.urls.length = 0;
		trigger.key = 'another secret';
		return { console, trigger };
	}
	const tokensOf = (console: ModelConsole) =>
		console.urls.map(({ searchParams }) => searchParams.get('pageToken'));

	test('another at each poll keeps nothing back, though more comes late than one poll delivers', async () => {
		const options = { maxEntriesPerPoll: 2, lookbackMinutes: 30 };
		const { console, trigger } = active(log, { startFrom: 'oldest' }, 20 * MINUTE);
		expect(await trigger.ids()).toHaveLength(60);
		trigger.parameters = { startFrom: 'oldest', options };
		const late = Array.from({ length: 7 }, (_, number) => entry(`late${number}`, -1000 + number));
		console.log = new ModelLog([...late, ...log]);
		const came: unknown[] = [];
		for (let poll = 0; poll < 6; poll++) {
			trigger.key = `secret ${poll}`;
			came.push(...(await trigger.ids()));
			console.now += 1000;
		}
		expect(came).toEqual(idsOf(late));
	});

	test('another at each poll gets through a lookback that takes longer than a poll', async () => {
		const long = Array.from({ length: 900 }, (_, number) => entry(`a${number}`, number * 250));
		const options = { pageSize: 100 };
		const { console, trigger } = active(long, { startFrom: 'oldest', options }, 4 * MINUTE);
		console.callMs = 7000;
		const came: unknown[] = [];
		for (let poll = 0; poll < 6; poll++, console.now += MINUTE) {
			trigger.key = `secret ${poll}`;
			came.push(...(await trigger.durableIds()));
		}
		expect(came).toEqual(idsOf(long));
		const firstOfPolls = console.urls.filter(({ searchParams }) => !searchParams.has('pageToken'));
		expect(firstOfPolls.length).toBeLessThan(15);
	});

	test('of the same log goes on where it was, without the page token of the other', async () => {
		const { console, trigger } = await begun('oldest');
		expect(await trigger.ids()).toEqual(idsOf(log.slice(20, 40)));
		expect(tokensOf(console)[0]).toBeNull();
		expect(await trigger.ids()).toEqual(idsOf(log.slice(40)));
		expect(trigger.warnings).toEqual([]);
	});

	test.each([
		['oldest', idsOf(otherLog)],
		['now', idsOf(otherLog).slice(19)],
	])('of another log: %s', async (startFrom, expected) => {
		const { console, trigger } = await begun(startFrom);
		console.log = new ModelLog(otherLog);
		const came: unknown[] = [];
		for (let poll = 0; poll < 6; poll++) came.push(...(await trigger.ids()));
		expect(came).toEqual(expected);
		expect(tokensOf(console)[0]).toBeNull();
		expect(trigger.warnings).toEqual([expect.stringContaining('different audit log')]);
	});

	test('of another log: from when the log before was read, though an entry of that was dated ahead', async () => {
		const ahead = entry('ahead', 30 * DAY, 61_000);
		const { console, trigger } = active([...log, ahead], { startFrom: 'oldest' }, 120 * MINUTE);
		expect(await trigger.ids()).toHaveLength(61);
		trigger.parameters = { startFrom: 'now' };
		trigger.key = 'another secret';
		const later = Array.from({ length: 20 }, (_, number) =>
			entry(`b${number}`, (121 + number) * MINUTE),
		);
		console.log = new ModelLog(later);
		console.now += DAY;
		const came: unknown[] = [];
		for (let poll = 0; poll < 3; poll++) came.push(...(await trigger.ids()));
		expect(came).toEqual(idsOf(later));
	});

	test.each(['oldest', 'now'])('that sees nothing yet changes nothing: %s', async (startFrom) => {
		const { console, trigger } = await begun(startFrom);
		const before = JSON.stringify(trigger.staticData);
		console.log = new ModelLog([]);
		for (let poll = 0; poll < 3; poll++) expect(await trigger.ids()).toEqual([]);
		expect(JSON.stringify(trigger.staticData)).toBe(before);
		console.log = new ModelLog(log);
		expect(await trigger.ids()).toEqual(idsOf(log.slice(20, 40)));
		expect(trigger.warnings).toEqual([]);
	});

	test('of another log that is empty at first: its first entry tells', async () => {
		const { console, trigger } = await begun('oldest');
		console.log = new ModelLog([]);
		expect(await trigger.ids()).toEqual([]);
		console.log = new ModelLog(otherLog);
		const came: unknown[] = [];
		for (let poll = 0; poll < 6; poll++) came.push(...(await trigger.ids()));
		expect(came).toEqual(idsOf(otherLog));
		expect(trigger.warnings).toEqual([expect.stringContaining('different audit log')]);
	});

	test.each([
		['in the future, as after a wrong clock of the console', -DAY],
		['so old that the console has deleted all since', 375 * DAY],
	])('of a log without entries, the position %s: no entry can tell', async (_, passed) => {
		const { console, trigger } = await begun('oldest');
		console.log = new ModelLog([]);
		console.now += passed;
		expect(await trigger.ids()).toEqual([]);
		expect(trigger.warnings).toEqual([expect.stringContaining('different audit log')]);
		expect(await trigger.ids()).toEqual([]);
		expect(trigger.warnings).toHaveLength(1);
	});

	test('of the same log brings nothing again where the last entry tells no time', async () => {
		const undated = { ...entry('last', 60_000), entry: { auditlogId: 'last' } };
		const { console, trigger } = active([...log, undated], { startFrom: 'oldest' }, 120 * MINUTE);
		const came: unknown[] = [];
		for (let poll = 0; poll < 12; poll++, console.now += MINUTE)
			came.push(...(await trigger.ids()));
		expect(came).toHaveLength(61);
		trigger.key = 'another secret';
		expect(await trigger.ids()).toEqual([]);
		expect(trigger.warnings).toEqual([]);
	});

	test('that cannot read what is remembered delivers nothing and forgets nothing', async () => {
		const { console, trigger } = await begun('oldest');
		console.log = new ModelLog(otherLog);
		console.troubles.push(undefined, ...Array<number>(9).fill(403));
		const before = JSON.stringify(trigger.staticData);
		await expect(trigger.poll()).rejects.toThrow('403');
		expect(JSON.stringify(trigger.staticData)).toBe(before);
		expect(trigger.warnings).toEqual([]);
	});
});
