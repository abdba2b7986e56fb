import { active, BEGIN, entry, MINUTE, state } from '../support/triggerOnLog';
import type { ModelEntry } from '../support/modelLog';
import { ModelLog } from '../support/modelLog';

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

describe('a batch that fails while more entries appear', () => {
	const HOUR = 60 * MINUTE;
	const undated = (id: string, appearsAt: number): ModelEntry => {
		const one = entry(id, 0, appearsAt);
		return { ...one, time: BEGIN + appearsAt, entry: { auditlogId: id, action: 'login' } };
	};
	const options = { moveOn: 'succeeded', pageSize: 2 };

	function failing(log: ModelEntry[]) {
		const { console, trigger } = active(log, { startFrom: 'oldest', options }, 5000);
		trigger.budgetMs = 36_000;
		trigger.ending = 'error';
		const attempt = async () => {
			await trigger.poll().catch(() => {});
			console.now += HOUR;
			return trigger.started.splice(0).filter((ids) => ids.length > 0);
		};
		return { console, trigger, attempt };
	}

	test.each([
		['without a time', undated],
		['dated', entry],
	])('comes again as it was: %s', async (_, make) => {
		const before = ['a', 'b', 'c'].map((id, second) => make(id, second * 1000));
		const after = Array.from({ length: 9 }, (_, number) => make(`later ${number}`, number * HOUR));
		const { trigger, attempt } = failing([...before, ...after.slice(1)]);
		for (let attempts = 0; attempts < 5; attempts++) {
			expect(await attempt()).toEqual([['a', 'b', 'c']]);
		}
		trigger.ending = 'success';
		const rest = ['later 1', 'later 2', 'later 3', 'later 4', 'later 5'];
		expect((await attempt()).flat()).toEqual(expect.arrayContaining(['a', 'b', 'c']));
		expect((await attempt()).flat()).toEqual(expect.arrayContaining(rest.slice(-1)));
	});

	test('does not grow where one entry lies in the future, and loses none', async () => {
		const log = [entry('a', 0), entry('future', 1000 * HOUR, 0)];
		for (let number = 1; number < 20; number++) log.push(entry(`${number}`, number * HOUR));
		const { console, trigger, attempt } = failing(log);
		for (let attempts = 0; attempts < 5; attempts++) expect((await attempt())[0]).toHaveLength(2);
		trigger.ending = 'success';
		const came = [...(await attempt()).flat()];
		for (let polls = 0; polls < 20; polls++) came.push(...(await attempt()).flat());
		expect(came.sort()).toEqual(log.map(({ entry: { auditlogId } }) => auditlogId).sort());
		expect(console.now).toBeGreaterThan(BEGIN + 20 * HOUR);
	});

	test('takes what appears late before its end', async () => {
		const late = entry('late', 500, HOUR);
		const { attempt } = failing([entry('a', 0), late, entry('b', 1000), entry('c', 2 * HOUR)]);
		expect(await attempt()).toEqual([['a', 'b']]);
		expect(await attempt()).toEqual([['a', 'late', 'b']]);
		expect(await attempt()).toEqual([['a', 'late', 'b']]);
	});

	test('is found by the end that earlier versions stored', async () => {
		const { trigger, attempt } = failing([entry('a', 0), entry('b', 1000), entry('c', HOUR)]);
		expect(await attempt()).toEqual([['a', 'b']]);
		const { end } = (state(trigger).delivery as { pending: { end: string } }).pending;
		expect(end).toBe(new Date(BEGIN + 1000).toISOString());
	});
});

describe('a batch that fails after the credential was replaced', () => {
	const DAY = 1440 * MINUTE;
	const log = Array.from({ length: 5 }, (_, number) => entry(`a${number}`, number * 1000));
	const newer = [1, 3, 6, 10, 20].map((minute) => entry(`new${minute}`, minute * MINUTE));
	const older = Array.from({ length: 8 }, (_, number) => entry(`old${number}`, number - DAY));
	const otherLog = new ModelLog([...older, ...newer]);

	async function begun(moveOn: string, entries = log) {
		const options = { moveOn, maxEntriesPerPoll: 5 };
		const { console, trigger } = active(entries, { startFrom: 'oldest', options }, 5000);
		await trigger.poll();
		await trigger.poll();
		expect(trigger.started.splice(0).flat()).toEqual(log.map((one) => one.entry.auditlogId));
		/** Half an hour of polls. */
		const polls = async () => {
			const errors: unknown[] = [];
			for (let minute = 0; minute < 30; minute++) {
				console.now += MINUTE;
				await trigger.poll().catch((error) => errors.push(error));
			}
			return { batches: trigger.started.splice(0).filter((ids) => ids.length > 0), errors };
		};
		return { console, trigger, polls };
	}

	const chosen = [
		{ startFrom: 'oldest' },
		{ startFrom: 'date', startDate: new Date(BEGIN - 2 * DAY).toISOString() },
		{ startFrom: 'now' },
	];
	const cases = chosen.flatMap((start) =>
		[undefined, 36_000].flatMap((budgetMs) => [
			{ start, budgetMs, moveOn: 'succeeded', ending: 'error' as const },
			{ start, budgetMs, moveOn: 'finished', ending: 'crashed' as const },
		]),
	);

	test.each(cases)(
		'by that of another log: comes again as it was, with pauses: %j',
		async (one) => {
			const { console, trigger, polls } = await begun(one.moveOn);
			Object.assign(trigger.parameters, one.start);
			Object.assign(trigger, { budgetMs: one.budgetMs, ending: one.ending, key: 'another secret' });
			console.log = otherLog;
			const { batches, errors } = await polls();
			const isNow = one.start.startFrom === 'now';
			const batch = isNow ? ['new1'] : ['old0', 'old1', 'old2', 'old3', 'old4'];
			expect(batches).toEqual(Array(7).fill(batch));
			expect(errors).toHaveLength(5);
			trigger.ending = 'success';
			const all = [...(isNow ? [] : older), ...newer].map(
				({ entry: { auditlogId } }) => auditlogId,
			);
			expect((await polls()).batches.flat()).toEqual(all);
		},
	);

	const late = entry('late', -MINUTE, MINUTE);

	test('by one of the same log: comes again with pauses', async () => {
		const { trigger, polls } = await begun('succeeded', [...log, late]);
		Object.assign(trigger, { ending: 'error', key: 'another secret' });
		const { batches, errors } = await polls();
		expect(batches).toEqual(Array(7).fill(['late']));
		expect(errors).toHaveLength(5);
	});

	test('for a while by that of another log: still comes again', async () => {
		const { console, trigger, polls } = await begun('succeeded', [...log, late]);
		trigger.parameters.startFrom = 'now';
		trigger.ending = 'error';
		console.now += MINUTE;
		await trigger.poll();
		expect(trigger.started.splice(0)).toEqual([['late']]);
		const { log: firstLog } = console;
		Object.assign(trigger, { key: 'another secret' });
		console.log = new ModelLog(newer);
		expect((await polls()).batches[0]).toEqual(['new1']);
		Object.assign(trigger, { key: 'secret', ending: 'success' });
		console.log = firstLog;
		expect((await polls()).batches).toEqual([['late']]);
	});
});
