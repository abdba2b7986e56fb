import { ModelLog } from '../support/modelLog';
import { active, entry, MINUTE, state } from '../support/triggerOnLog';

describe('failures', () => {
	const many = Array.from({ length: 60 }, (_, number) => entry(`e${number}`, number * 1000));
	const options = { pageSize: 20 };

	test('what was read before is handed over, the failure is logged, and thrown once nothing is left', async () => {
		const { console, trigger } = active(many, { startFrom: 'oldest', options }, 120 * MINUTE);
		console.troubles.push(undefined, 401, 401, 401);
		expect(await trigger.ids()).toHaveLength(20);
		expect(trigger.warnings).toEqual([expect.stringContaining('next poll continues')]);
		expect(trigger.warnings[0]).not.toContain('..');
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
			console.troubles.push(...Array<number>(20).fill(status));
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
			console.troubles.push(...Array<number>(20).fill(status));
			await expect(trigger.poll()).rejects.toThrow(String(status));
			console.troubles.length = 0;
			console.urls.length = 0;
			expect(await trigger.ids()).toHaveLength(20);
			expect(console.urls[0].searchParams.get('pageToken')).not.toBeNull();
		},
	);

	test('polls that each end after two pages get through a lookback of more pages', async () => {
		const long = { pageSize: 20, lookbackMinutes: 60 };
		const { console, trigger } = active(many, { startFrom: 'oldest', options: long }, 2 * MINUTE);
		expect(await trigger.ids()).toHaveLength(60);
		const late = entry('late', 61_000, 130_000);
		console.log = new ModelLog([...many, late]);
		console.now += MINUTE;
		const came: unknown[] = [];
		for (let poll = 0; poll < 5; poll++) {
			console.troubles = [undefined, undefined, 401, 401];
			came.push(...(await trigger.ids().catch(() => [])));
		}
		expect(came).toEqual(['late']);
	});

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

		test.each([401, 403])(
			'nothing comes twice by a page token that is answered with %i in two polls',
			async (status) => {
				const { console, came, poll } = await afterPolls(3);
				for (let failing = 0; failing < 2; failing++) {
					console.troubles.push(status);
					await expect(poll()).rejects.toThrow(String(status));
				}
				await poll();
				expect(came.length).toBe(moment.length);
				expect(new Set(came).size).toBe(moment.length);
			},
		);

		test('a page token that fails in three polls is left: entries come again, none is lost', async () => {
			const { console, came, poll } = await afterPolls(3);
			for (let failing = 0; failing < 2; failing++) {
				console.troubles.push(403);
				await expect(poll()).rejects.toThrow('403');
			}
			console.troubles.push(403);
			await poll(4);
			expect(new Set(came).size).toBe(moment.length);
		});

		test('a page token that took all of three polls’ time is left, and used when it comes again', async () => {
			const { console, came, poll } = await afterPolls(3);
			console.callMs = 5 * MINUTE;
			for (let failing = 0; failing < 3; failing++) {
				console.troubles.push(500);
				await expect(poll()).rejects.toThrow('500');
			}
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
		console.troubles.push(401);
		await expect(trigger.poll()).rejects.toThrow('401');
		expect(await trigger.poll()).toBeNull();
	});
});
