import { RETENTION_MS } from '../../../../services/console/auditLogEntry';
import { active, BEGIN, entry, MINUTE } from '../support/triggerOnLog';

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
		console.troubles.push(undefined, 401);
		await expect(trigger.poll()).rejects.toThrow('401');
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

	test.each([0, undefined])(
		'a date to come: nothing before it (clock told: %p)',
		async (dateSkew) => {
			const each = Array.from({ length: 90 }, (_, minute) => entry(`${minute}`, minute * MINUTE));
			const parameters = { startFrom: 'date', startDate: '2026-03-01T01:00:00Z' };
			const { console, trigger } = active(each, parameters, MINUTE);
			console.dateSkew = dateSkew;
			const ids: unknown[] = [];
			for (let minute = 0; minute < 90; minute++) {
				ids.push(...(await trigger.ids()));
				console.now += MINUTE;
			}
			expect(ids).toEqual(each.slice(60).map((_, at) => `${60 + at}`));
			expect(trigger.warnings).toEqual([]);
		},
	);

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
