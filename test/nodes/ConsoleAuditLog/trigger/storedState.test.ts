import type { IDataObject } from 'n8n-workflow';
import { RETENTION_MS } from '../../../../services/console/auditLogEntry';
import { active, BEGIN, entry, MINUTE, state } from '../support/triggerOnLog';

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

	test.each([
		[3, 'Install the newer version again, or enter a new text'],
		[2, 'twice. Enter a new text'],
	])(
		'and of version %i is an error that asks for no other version in vain',
		async (version, advice) => {
			const { trigger } = active(log, { startFrom: 'oldest' }, 5000);
			trigger.staticData = { pollState: { version, scope: 7 } } as IDataObject;
			await expect(trigger.poll()).rejects.toMatchObject({
				description: expect.stringContaining(advice),
			});
		},
	);

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

	test('is read back after a lookback of a part of a millisecond, also where since is ignored', async () => {
		const log = Array.from({ length: 2800 }, (_, at) => entry(`e${at}`, at * 150));
		const options = { lookbackMinutes: 1 / 7 };
		const { console, trigger } = active(log, { startFrom: 'now', options }, 5 * MINUTE);
		const page = console.log.page.bind(console.log);
		console.log.page = (call, now) => page({ ...call, since: undefined }, now);
		expect(await trigger.poll()).toBeNull();
		console.now += MINUTE;
		expect(await trigger.ids()).toHaveLength(401);
		console.now += MINUTE;
		expect(await trigger.ids()).toHaveLength(399);
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

	test('and what was learned of the console are left when Start Over gets another text', async () => {
		const log = Array.from({ length: 2000 }, (_, at) => entry(`e${at}`, at));
		const { console, trigger } = active(log, { startFrom: 'oldest' }, 5000);
		const limits = async (startOver: string) => {
			trigger.parameters = { startFrom: 'oldest', options: { startOver } };
			const before = console.urls.length;
			await trigger.poll();
			return console.urls.slice(before).map((url) => Number(url.searchParams.get('limit')));
		};
		expect(await limits('')).toEqual([100, 1000, 5000, 100]);
		expect(await limits('')).toEqual([5000, 100]);
		expect((await limits('x'))[0]).toBe(100);
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
