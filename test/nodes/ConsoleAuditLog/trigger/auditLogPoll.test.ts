import type { IDataObject } from 'n8n-workflow';
import { RETENTION_MS } from '../../../../services/console/auditLogEntry';
import { ActiveTrigger, ModelConsole } from '../support/modelConsole';
import type { ModelEntry } from '../support/modelLog';
import { ModelLog } from '../support/modelLog';

const BEGIN = Date.UTC(2026, 2, 1);
const MINUTE = 60_000;

function entry(id: string, at: number, appearsAt = at): ModelEntry {
	const createdAt = new Date(BEGIN + at).toISOString();
	return {
		time: BEGIN + at,
		appearsAt: BEGIN + appearsAt,
		entry: { auditlogId: id, createdAt, action: 'login' },
	};
}

function active(log: ModelEntry[], parameters: IDataObject = {}, at = 0) {
	const console = new ModelConsole(new ModelLog(log), BEGIN + at);
	return { console, trigger: new ActiveTrigger(console, parameters) };
}

const state = (trigger: ActiveTrigger) => trigger.staticData.pollState as IDataObject;

describe('a trigger that starts now', () => {
	const log = [
		entry('old', -4 * MINUTE),
		entry('just before', -2000),
		entry('just after', 1500),
		entry('late', -MINUTE, 20_000),
		entry('later', 50_000),
	];
	const expected = ['late', 'just after', 'later'];

	test('loses nothing between activation and the first tick', async () => {
		const { console, trigger } = active(log);
		expect(await trigger.poll()).toBeNull();
		console.now += MINUTE;
		expect(await trigger.ids()).toEqual(expected);
		expect(await trigger.poll()).toBeNull();
	});

	test.each([-7, 7])('also when the clock here is %i minutes off', async (minutes) => {
		const { console, trigger } = active(log);
		trigger.clockSkew = minutes * MINUTE;
		expect(await trigger.poll()).toBeNull();
		console.now += MINUTE;
		expect(await trigger.ids()).toEqual(expected);
	});

	test('also where the console does not tell its time', async () => {
		const { console, trigger } = active(log);
		console.dateSkew = undefined;
		expect(await trigger.poll()).toBeNull();
		console.now += MINUTE;
		expect(await trigger.ids()).toEqual(expected);
	});

	test('also where the console gives page tokens that cannot be sent', async () => {
		const { console, trigger } = active(log);
		console.tokenAs = () => 17;
		expect(await trigger.poll()).toBeNull();
		console.now += MINUTE;
		expect(await trigger.ids()).toEqual(expected);
		expect(await trigger.poll()).toBeNull();
	});

	test('also in durable mode, where n8n keeps nothing of a silent poll at activation', async () => {
		const { console, trigger } = active(log);
		expect(await trigger.durableIds({ isActivation: true })).toEqual([]);
		expect(trigger.staticData).toEqual({});
		console.now += MINUTE;
		expect(await trigger.durableIds()).toEqual(expected);
		expect(await trigger.durableIds()).toEqual([]);
	});

	test('also when n8n drops the first ticks in durable mode', async () => {
		const { console, trigger } = active(log);
		await trigger.durableIds({ isActivation: true });
		console.now += MINUTE;
		await trigger.durableIds({ isDropped: true });
		console.now += MINUTE;
		console.troubles.push(401);
		await expect(trigger.durableIds()).rejects.toThrow('401');
		expect(await trigger.durableIds()).toEqual(expected);
	});

	test('throws at activation when the console cannot be read', async () => {
		const { console, trigger } = active(log);
		console.troubles.push(undefined, 403);
		await expect(trigger.poll()).rejects.toThrow('403');
		expect(trigger.staticData).toEqual({});
	});
});

describe('where a trigger starts', () => {
	const log = [entry('a', -MINUTE), entry('b', 0), entry('c', 1000)];

	test('oldest: everything', async () => {
		const { trigger } = active(log, { startFrom: 'oldest' }, MINUTE);
		expect(await trigger.ids()).toEqual(['a', 'b', 'c']);
	});

	test('date: at or after that date, in the time zone of the workflow', async () => {
		const { trigger } = active(log, { startFrom: 'date', startDate: '2026-03-01T01:00:00' }, 5000);
		expect(await trigger.ids()).toEqual(['b', 'c']);
	});

	test('a date that is none is the user’s to change', async () => {
		const { trigger } = active(log, { startFrom: 'date', startDate: 'soon' });
		await expect(trigger.poll()).rejects.toMatchObject({
			message: expect.stringContaining('Start Date'),
			failure: { cause: 'configuration-invalid' },
		});
	});

	test.each([
		[{ startFrom: 'Now' }, "'Start From' is not one of its options"],
		[{ startFrom: '' }, "'Start From' is not one of its options"],
		[
			{ startFrom: 'oldest', authentication: 'basic' },
			"'Authentication' is not one of its options",
		],
	])('%j is refused, and nothing is read', async (parameters, message) => {
		const { console, trigger } = active(log, parameters);
		await expect(trigger.poll()).rejects.toMatchObject({
			message: expect.stringContaining(message),
			failure: { cause: 'configuration-invalid' },
		});
		expect(console.urls).toEqual([]);
	});

	test('what an expression throws is left as it is', async () => {
		const thrown = new Error("Can't get data for expression");
		const parameters = Object.defineProperty({}, 'startFrom', {
			get: () => {
				throw thrown;
			},
		});
		await expect(active(log, parameters).trigger.poll()).rejects.toBe(thrown);
	});

	test.each([
		[{ lookbackMinutes: -1 }, 'Lookback'],
		[{ lookbackMinutes: '' }, 'Lookback'],
		[{ lookbackMinutes: true }, 'Lookback'],
		[{ maxEntriesPerPoll: [7] }, 'Max Entries per Poll'],
		[{ maxEntriesPerPoll: 0 }, 'Max Entries per Poll'],
		[{ pageSize: 1.5 }, 'Page Size'],
		[{ idField: ' ' }, 'ID Field'],
		[{ timestampField: '' }, 'Timestamp Field'],
	])('an option that cannot be is named: %p', async (options, name) => {
		const { trigger } = active(log, { startFrom: 'oldest', options });
		await expect(trigger.poll()).rejects.toThrow(name);
	});
});

describe('what is handed over', () => {
	test('is the entry exactly as the service sent it, a field named json included', async () => {
		const odd = { auditlogId: 'x', json: { a: 1 }, eventKey: 'own', binary: null };
		const log = [{ time: BEGIN, appearsAt: BEGIN, entry: odd }];
		const { trigger } = active(log, { startFrom: 'oldest' }, 1000);
		expect(await trigger.poll()).toEqual([{ json: odd }]);
	});

	test('is every entry, though one without an ID is nested 4,000 deep', async () => {
		const deep = JSON.parse('[{"a":'.repeat(2000) + '1' + '}]'.repeat(2000)) as unknown;
		const odd = entry('deep', 1000);
		odd.entry = { createdAt: odd.entry.createdAt, deep };
		const { trigger } = active(
			[entry('a', 0), odd, entry('b', 2000)],
			{ startFrom: 'oldest' },
			5000,
		);
		expect(await trigger.ids()).toEqual(['a', undefined, 'b']);
		expect(await trigger.poll()).toBeNull();
	});

	test('is a value where it is no object', async () => {
		const odd = ['text', null, 7, [1]];
		const log = odd.map((one) => ({ time: BEGIN, appearsAt: BEGIN, entry: one as never }));
		const { trigger } = active(log, { startFrom: 'oldest' }, 1000);
		expect((await trigger.poll())?.map(({ json }) => json)).toEqual(
			odd.map((value) => ({ value })),
		);
	});

	test('has a key that is the same whenever the entry is read, also in a test, if wanted', async () => {
		const parameters = { startFrom: 'oldest', options: { includeEventKey: true } };
		const log = [
			entry('a', 0),
			{ ...entry('b', 1), entry: { twice: 1 } },
			{ ...entry('c', 2), entry: { twice: 1 } },
		];
		const first = await active(log, parameters, 1000).trigger.poll();
		const again = active(log, parameters, MINUTE);
		expect(await again.trigger.poll()).toEqual(first);
		again.trigger.mode = 'manual';
		expect(await again.trigger.poll()).toEqual(first);
		const keys = first?.map(({ json }) => json.eventKey);
		expect(new Set(keys).size).toBe(3);
		// Receivers have stored it: SHA-256 of "id a", its first half.
		expect(keys?.[0]).toBe('afe677844772d1ddf499f5c03eab22b1');
	});
});

describe('failures', () => {
	const many = Array.from({ length: 60 }, (_, number) => entry(`e${number}`, number * 1000));
	const options = { pageSize: 20 };

	test('what was read before is handed over, the failure is logged, and thrown once nothing is left', async () => {
		const { console, trigger } = active(many, { startFrom: 'oldest', options }, 120 * MINUTE);
		console.troubles.push(undefined, 401, 401, 401);
		expect(await trigger.ids()).toHaveLength(20);
		expect(trigger.warnings).toEqual([expect.stringContaining('next poll continues')]);
		const before = JSON.stringify(trigger.staticData);
		await expect(trigger.poll()).rejects.toMatchObject({
			failure: { cause: 'credential-invalid' },
		});
		expect(JSON.stringify(trigger.staticData)).toBe(before);
		expect(await trigger.ids()).toHaveLength(40);
	});

	test.each([401, 403, 409, 412, 500, 503])(
		'a stored page token that is answered with %i is forgotten once it goes on without it',
		async (status) => {
			const limited = { pageSize: 20, maxEntriesPerPoll: 20 };
			const { console, trigger } = active(
				many,
				{ startFrom: 'oldest', options: limited },
				120 * MINUTE,
			);
			expect(await trigger.ids()).toHaveLength(20);
			console.troubles.push(...Array<number>(9).fill(status));
			await expect(trigger.poll()).rejects.toThrow(String(status));
			console.troubles.length = 0;
			expect(state(trigger).resume).toHaveProperty('token');
			console.tokensRefused = true;
			const came: unknown[] = [];
			for (let poll = 0; poll < 3; poll++) came.push(...(await trigger.ids()));
			expect(came).toEqual(many.slice(20).map(({ entry: { auditlogId } }) => auditlogId));
		},
	);

	test.each([401, 500])(
		'a stored page token is kept when the call without it is answered with %i, too',
		async (status) => {
			const parameters = { startFrom: 'oldest', options: { pageSize: 20, maxEntriesPerPoll: 20 } };
			const { console, trigger } = active(many, parameters, 120 * MINUTE);
			await trigger.poll();
			console.troubles.push(...Array<number>(9).fill(status));
			await expect(trigger.poll()).rejects.toThrow(String(status));
			console.troubles.length = 0;
			console.urls.length = 0;
			expect(await trigger.ids()).toHaveLength(20);
			expect(console.urls[0].searchParams.get('pageToken')).not.toBeNull();
		},
	);

	describe('with more entries of one moment than are remembered', () => {
		const moment = Array.from({ length: 35_000 }, (_, number) => entry(`e${number}`, 0));
		const parameters = {
			startFrom: 'date',
			// The lookback before that moment, so that every call has the same `since`.
			startDate: '2026-03-01T00:55:00',
			options: { pageSize: 10_000, maxEntriesPerPoll: 10_000 },
		};

		async function afterPolls(polls: number) {
			const { console, trigger } = active(moment, parameters, 120 * MINUTE);
			const came: unknown[] = [];
			const poll = async (times = 1) => {
				for (let time = 0; time < times; time++) came.push(...(await trigger.ids()));
			};
			await poll(polls);
			return { console, came, poll };
		}

		test('nothing is lost and nothing comes twice by a poll that gets only errors', async () => {
			const { console, came, poll } = await afterPolls(3);
			console.troubles.push(...Array<number>(99).fill(500));
			await expect(poll()).rejects.toThrow('500');
			console.troubles.length = 0;
			await poll();
			expect(came.length).toBe(moment.length);
			expect(new Set(came).size).toBe(moment.length);
		});

		test('a page token that took all of a poll’s time is left, and used when it comes again', async () => {
			const { console, came, poll } = await afterPolls(3);
			console.callMs = 5 * MINUTE;
			console.troubles.push(500);
			await expect(poll()).rejects.toThrow('500');
			console.callMs = 0;
			console.urls.length = 0;
			await poll(4);
			expect(console.urls[0].searchParams.get('pageToken')).toBeNull();
			expect(new Set(came).size).toBe(moment.length);
		});
	});

	test('a page size that no longer works is made smaller, poll by poll, also where none stores anything', async () => {
		const { console, trigger } = active(many, { startFrom: 'oldest', options: { pageSize: 5000 } });
		console.now += 120 * MINUTE;
		console.callMs = 40_000;
		console.largestPage = 50;
		for (const size of ['5000', '500']) {
			await expect(trigger.poll()).rejects.toThrow('500');
			expect(console.urls.at(-1)?.searchParams.get('limit')).toBe(size);
			expect(trigger.staticData).toEqual({});
		}
		expect(await trigger.ids()).toHaveLength(50);
	});

	test('a refused token leads on by the time reached', async () => {
		const { console, trigger } = active(many, { startFrom: 'oldest', options }, 120 * MINUTE);
		console.tokensRefused = true;
		expect(await trigger.ids()).toHaveLength(60);
		expect(console.urls.filter(({ search }) => search.includes('pageToken')).length).toBe(3);
	});

	test('a poll that overlaps another hands over nothing', async () => {
		const { console, trigger } = active(many, { startFrom: 'oldest' }, 120 * MINUTE);
		let release = () => {};
		console.troubles.push(new Promise((resolve) => (release = resolve)));
		const slow = trigger.ids();
		const overlapping = await Promise.all([trigger.poll(), trigger.poll()]);
		expect(overlapping).toEqual([null, null]);
		release();
		expect(await slow).toHaveLength(60);
		expect(await trigger.poll()).toBeNull();
		console.troubles.push(403);
		await expect(trigger.poll()).rejects.toThrow('403');
		expect(await trigger.poll()).toBeNull();
	});
});

describe('what n8n stored', () => {
	const log = [entry('a', 0), entry('b', 1000)];

	test('is one top-level value, replaced as a whole and never changed in place', async () => {
		const { console, trigger } = active(
			[...log, entry('c', 2 * MINUTE)],
			{ startFrom: 'oldest' },
			5000,
		);
		await trigger.poll();
		expect(Object.keys(trigger.staticData)).toEqual(['pollState']);
		const stored = JSON.parse(JSON.stringify(trigger.staticData)) as IDataObject;
		const freeze = (value: unknown): void => {
			if (typeof value !== 'object' || value === null) return;
			Object.values(value).forEach(freeze);
			Object.freeze(value);
		};
		freeze(stored.pollState);
		console.now += 3 * MINUTE;
		expect(await trigger.ids(stored)).toEqual(['c']);
		expect(stored.pollState).not.toEqual(trigger.staticData.pollState);
	});

	test.each([
		['written by a newer version', { version: 3 }],
		['cannot be read', { version: 2, scope: 7 }],
		['cannot be read', 'text'],
		['cannot be read', { version: 2, scope: 'x', seen: [[1, 2]] }],
		['cannot be read', { version: 2, scope: 'x', seen: [], from: 'yesterday' }],
		['cannot be read', { version: 2, scope: 'x', seen: [], resume: { limit: '5' } }],
		['cannot be read', { version: 2, scope: 'x', seen: [], pageSize: { size: 1.5 } }],
	])('and %s is an error that says what to do, and no flood', async (message, pollState) => {
		const { console, trigger } = active(log, { startFrom: 'oldest' }, 5000);
		trigger.staticData = { pollState } as IDataObject;
		await expect(trigger.poll()).rejects.toMatchObject({
			message: expect.stringContaining(message),
			description: expect.stringContaining('Start Over'),
			failure: { cause: 'configuration-invalid' },
		});
		expect(console.urls).toHaveLength(0);
		expect(trigger.staticData).toEqual({ pollState });
	});

	test('for other fields is left: the trigger says so and starts over', async () => {
		const { trigger } = active(log, { startFrom: 'oldest' }, 5000);
		await trigger.poll();
		trigger.parameters = { startFrom: 'now', options: { idField: 'uuid' } };
		expect(await trigger.poll()).toBeNull();
		expect(trigger.warnings).toEqual([expect.stringContaining('begins again')]);
		expect(state(trigger).scope).toContain('uuid');
		expect(await trigger.poll()).toBeNull();
		expect(trigger.warnings).toHaveLength(1);
	});

	test('and cannot be read is left when Start Over is set', async () => {
		const { trigger } = active(log, { startFrom: 'oldest', options: { startOver: 'again' } }, 5000);
		trigger.staticData = { pollState: { version: 99, scope: 'x' } } as IDataObject;
		expect(await trigger.ids()).toEqual(['a', 'b']);
		expect(await trigger.poll()).toBeNull();
		expect(trigger.warnings).toHaveLength(1);
	});

	test('is left, once, when Start Over gets another text', async () => {
		const { trigger } = active(log, { startFrom: 'oldest' }, 5000);
		for (const startOver of ['', 'x', ' x ', 'y']) {
			trigger.parameters = { startFrom: 'oldest', options: { startOver } };
			const first = ['', 'x', 'y'].includes(startOver);
			expect(await trigger.ids()).toEqual(first ? ['a', 'b'] : []);
			expect(await trigger.poll()).toBeNull();
		}
	});

	test('for other options is kept', async () => {
		const { trigger } = active(log, { startFrom: 'oldest' }, 5000);
		await trigger.poll();
		trigger.parameters = { startFrom: 'now', options: { lookbackMinutes: 60, pageSize: 3 } };
		expect(await trigger.poll()).toBeNull();
		expect(trigger.warnings).toEqual([]);
	});
});

test('entries that are gone are told of once, in the log, and the trigger goes on', async () => {
	const { console, trigger } = active(
		[entry('a', 0), entry('b', RETENTION_MS + 9 * MINUTE)],
		{ startFrom: 'oldest' },
		1000,
	);
	expect(await trigger.ids()).toEqual(['a']);
	console.now = BEGIN + RETENTION_MS + 8 * MINUTE;
	expect(await trigger.poll()).toBeNull();
	console.now += MINUTE;
	expect(await trigger.ids()).toEqual(['b']);
	expect(await trigger.poll()).toBeNull();
	expect(trigger.warnings).toEqual([expect.stringContaining('365 days')]);
});

describe('a batch whose workflow failed', () => {
	const batch = ['a', 'b', 'c'];

	async function failed() {
		const log = [...batch, 'd', 'e'].map((id, second) => entry(id, second * 1000));
		const before = Array.from({ length: 30 }, (_, number) => entry(`${number}`, number - MINUTE));
		const { console, trigger } = active([...before, ...log], {
			startFrom: 'oldest',
			options: { moveOn: 'succeeded', pageSize: 3 },
		});
		console.now = BEGIN - 30_000;
		trigger.budgetMs = 36_000;
		await trigger.poll();
		console.now = BEGIN + 2000;
		trigger.ending = 'error';
		await trigger.poll();
		expect(trigger.started.splice(0).at(-1)).toEqual(batch);
		console.now += MINUTE;
		trigger.ending = 'success';
		return { console, trigger };
	}

	test('comes again as it was after a poll that had no time to read', async () => {
		const { trigger } = await failed();
		trigger.budgetMs = 0;
		await trigger.poll();
		expect(trigger.started).toEqual([]);
		trigger.budgetMs = 36_000;
		await trigger.poll();
		await trigger.poll();
		expect(trigger.started.filter((ids) => ids.length > 0)).toEqual([batch, ['d', 'e']]);
	});

	test('counts as failed before also where polls have time for a page or two of the lookback', async () => {
		const { console, trigger } = await failed();
		console.callMs = 20_000;
		for (let polls = 0; polls < 30; polls++) await trigger.poll();
		expect(trigger.started.flat()).toEqual([...batch, 'd', 'e']);
		expect(trigger.warnings).toEqual([expect.stringContaining('again, attempt 2')]);
	});
});

describe('Fetch Test Event', () => {
	test('shows the ten newest entries and changes nothing', async () => {
		const log = Array.from({ length: 300 }, (_, number) => entry(`e${number}`, number * 1000));
		const { console, trigger } = active(log, { startFrom: 'now' }, 10 * MINUTE);
		trigger.mode = 'manual';
		expect(await trigger.ids()).toEqual(
			Array.from({ length: 10 }, (_, number) => `e${290 + number}`),
		);
		expect(trigger.staticData).toEqual({});
		expect(console.urls.length).toBeLessThanOrEqual(50);
	});

	test('says that there is none', async () => {
		const { trigger } = active([], {});
		trigger.mode = 'manual';
		expect(await trigger.poll()).toBeNull();
	});
});

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

test.each([
	['in the year 10000', Date.UTC(10000, 0, 1)],
	['before 1970', -1],
	['a year ahead', BEGIN + RETENTION_MS],
])('a console whose clock is %s is not believed', async (_, date) => {
	const { console, trigger } = active([entry('a', -1000), entry('b', 30_000)]);
	console.dateSkew = date - BEGIN;
	expect(await trigger.poll()).toBeNull();
	console.now += MINUTE;
	expect(await trigger.ids()).toEqual(['b']);
	expect(await trigger.poll()).toBeNull();
});
