import { active, BEGIN, entry, MINUTE } from '../support/triggerOnLog';

describe('what is handed over', () => {
	test('is the entry exactly as the service sent it, a field named json included', async () => {
		const odd = { auditlogId: 'x', json: { a: 1 }, eventKey: 'own', binary: null };
		const log = [{ time: BEGIN, appearsAt: BEGIN, entry: odd }];
		const { trigger } = active(log, { startFrom: 'oldest' }, 1000);
		expect(await trigger.poll()).toEqual([{ json: odd }]);
	});

	test('is told of once in n8n’s log where no entry has the ID field', async () => {
		const log = [entry('a', 0), entry('b', 120_000)];
		const options = { idField: 'id' };
		const { console, trigger } = active(log, { startFrom: 'oldest', options }, 1000);
		for (let poll = 0; poll < 4; poll++, console.now += MINUTE) await trigger.poll();
		expect(trigger.warnings).toEqual([expect.stringContaining("no entry has the ID field 'id'")]);
	});

	test('is told of in n8n’s log where the console’s clock was ahead', async () => {
		const { console, trigger } = active([entry('a', 60 * MINUTE, 0)], { startFrom: 'oldest' });
		console.now += 60 * MINUTE;
		trigger.clockSkew = -60 * MINUTE;
		expect(await trigger.ids()).toEqual(['a']);
		console.now -= 59 * MINUTE;
		trigger.clockSkew = 0;
		for (let poll = 0; poll < 3; poll++, console.now += MINUTE) await trigger.poll();
		expect(trigger.warnings).toEqual([expect.stringContaining('goes back to the console')]);
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

	test('takes one reading of the credential, which n8n decrypts each time', async () => {
		const { trigger } = active([entry('a', 0)], { startFrom: 'oldest' }, 1000);
		await trigger.poll();
		trigger.credentialReads = 0;
		expect(await trigger.poll()).toBeNull();
		expect(trigger.credentialReads).toBe(1);
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
		expect(await again.trigger.poll()).toEqual([...(first ?? [])].reverse());
		const keys = first?.map(({ json }) => json.eventKey);
		expect(new Set(keys).size).toBe(3);
		// Receivers have stored it: SHA-256 of "id a", its first half.
		expect(keys?.[0]).toBe('afe677844772d1ddf499f5c03eab22b1');
	});
});
