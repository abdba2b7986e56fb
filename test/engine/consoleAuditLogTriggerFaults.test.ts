import { sandboxSecretMarker } from '../../sandbox/fixtures/accounts.cts';
import { ConsoleBench, idsOf } from '../support/consoleBench.cts';
import type { PersistenceMode } from '../support/engine/pollHarness.cts';

/** The trigger when calls fail, and whatever n8n and its users do meanwhile. */

// A busy machine is no reason to fail.
jest.setTimeout(30_000);

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

let bench: ConsoleBench;

beforeEach(async () => (bench = await ConsoleBench.open()));

afterEach(async () => await bench.close());

describe.each<PersistenceMode>(['default', 'durable'])('in %s mode', (mode) => {
	describe('when a call fails', () => {
		it('hands over the pages before it, says so in the log, and the rest comes next', async () => {
			const ids = bench.append(300);
			const options = { pageSize: 100 };
			const harness = await bench.trigger(mode, { startFrom: 'oldest', options });
			bench.sandbox.faults.add({ service: 'console', nth: 3, times: 2, status: 401 });
			await harness.activate();
			const first = idsOf(harness);
			const warnings = harness.log.entries.filter(({ message }) => message.includes('401'));
			await bench.minutes(harness);

			expect(first).toEqual(ids.slice(0, 200));
			expect(warnings).toHaveLength(1);
			expect(idsOf(harness)).toEqual(ids);
			expect(harness.errors).toEqual([]);
		});

		it.each([
			[{ status: 401 }, { cause: 'credential-invalid' }],
			[
				{ status: 429, retryAfter: { seconds: 600 } },
				// The time until then, so a little less than was asked for.
				{ cause: 'rate-limited', retryAfterMs: expect.closeTo(600_000, -4) as number },
			],
			[{ status: 500 }, { cause: 'temporarily-unavailable' }],
		])('fails as n8n wants it once there is nothing to hand over: %j', async (fault, failure) => {
			bench.append(5);
			const harness = await bench.trigger(mode, { startFrom: 'oldest' });
			await harness.activate();
			bench.sandbox.faults.add({ service: 'console', times: null, ...fault });
			await bench.minutes(harness);

			expect(harness.errors).toHaveLength(1);
			expect(harness.errors[0].failure).toMatchObject(failure);
			expect(harness.errors[0].everything()).not.toContain(sandboxSecretMarker);
		});

		it('starts now all the same where a limit of calls ends the reading of the lookback', async () => {
			bench.append(300);
			const options = { pageSize: 100 };
			const harness = await bench.trigger(mode, { startFrom: 'now', options });
			const limit = { status: 429, retryAfter: { seconds: 600 } };
			bench.sandbox.faults.add({ service: 'console', nth: 3, ...limit });
			await expect(harness.activate()).resolves.not.toThrow();
			expect(bench.sandbox.faults.list()).toMatchObject([{ applied: 1 }]);
			expect(harness.errors).toEqual([]);
			expect(idsOf(harness)).toEqual([]);
		});

		it('loses nothing over it', async () => {
			const before = bench.append(5);
			const harness = await bench.trigger(mode, { startFrom: 'oldest' });
			await harness.activate();
			bench.sandbox.faults.add({ service: 'console', times: 3, status: 401 });
			const during = bench.append(5);
			await bench.minutes(harness, 5);

			expect(idsOf(harness)).toEqual([...before, ...during]);
		});
	});

	describe('whatever n8n does', () => {
		it('hands each entry over once when polls overlap', async () => {
			const harness = await bench.trigger(mode, { startFrom: 'oldest' });
			await harness.activate();
			const ids = bench.append(250);
			await harness.overlappingTicks(4);
			await bench.minutes(harness, 2);

			expect(idsOf(harness)).toEqual(ids);
		});

		it('loses nothing and doubles nothing when it is killed before it has saved', async () => {
			const harness = await bench.trigger(mode, { startFrom: 'oldest' });
			await harness.activate();
			const first = bench.append(10);
			await bench.minutes(harness);
			const second = bench.append(10);
			bench.clock.advance(MINUTE);
			await harness.tick({ crash: 'beforeSaving' });
			await harness.restart();
			const third = bench.append(10);
			await bench.minutes(harness, 2);

			expect(idsOf(harness)).toEqual([...first, ...second, ...third]);
		});

		it('loses nothing when it goes back to an older position', async () => {
			const harness = await bench.trigger(mode, { startFrom: 'oldest' });
			const first = bench.append(3);
			await harness.activate();
			const saved = harness.snapshot();
			const second = bench.append(3);
			await bench.minutes(harness);
			harness.rewind(saved);
			await harness.restart();
			const third = bench.append(3);
			await bench.minutes(harness);

			expect([...new Set(idsOf(harness))]).toEqual([...first, ...second, ...third]);
			expect(idsOf(harness).filter((id) => first.includes(id))).toEqual(first);
		});

		it('keeps its place when the credential is rotated', async () => {
			const harness = await bench.trigger(mode, { startFrom: 'oldest' });
			const ids = bench.append(4);
			await harness.activate();
			const headers = { 'X-Other': `${sandboxSecretMarker}-rotated` };
			bench.sandbox.configure({ console: { headers } });
			const values = Object.entries(headers).map(([name, value]) => ({ name, value }));
			const rotated = { ...bench.credential, headers: { values } };
			await harness.replaceCredential('browserConsoleHeadersApi', rotated);
			ids.push(...bench.append(2));
			await bench.minutes(harness, 2);

			expect(idsOf(harness)).toEqual(ids);
		});

		it('starts over, and says so, when another field is the id', async () => {
			const harness = await bench.trigger(mode, { startFrom: 'now' });
			await harness.activate();
			bench.append(5);
			await bench.minutes(harness);
			const before = idsOf(harness).length;
			await harness.update({ parameters: { options: { idField: 'other' } } });
			const after = bench.append(2);
			await bench.minutes(harness, 2);

			expect(idsOf(harness).slice(before)).toEqual(after);
			const said = harness.log.entries.filter(({ message }) => message.includes('begins again'));
			expect(said.length).toBeGreaterThan(0);
		});

		it('goes not back to its first start when a field is changed and changed back', async () => {
			const harness = await bench.trigger(mode);
			await harness.activate();
			await harness.update({ parameters: { startFrom: 'oldest', options: { idField: 'other' } } });
			bench.append(5);
			await bench.minutes(harness, 2);
			await harness.restart();
			const before = idsOf(harness).length;
			await harness.update({ parameters: { startFrom: 'now', options: {} } });
			bench.clock.advance(2000);
			const after = bench.append(2);
			await bench.minutes(harness, 2);

			expect(idsOf(harness).slice(before)).toEqual(after);
		});

		it('goes on after more than 365 days, and says once what is gone', async () => {
			const harness = await bench.trigger(mode, { startFrom: 'oldest' });
			bench.append(5);
			await harness.activate();
			bench.clock.advance(370 * DAY);
			const ids = bench.append(3);
			await bench.minutes(harness, 3);

			expect(idsOf(harness).slice(5)).toEqual(ids);
			expect(harness.errors).toEqual([]);
			const said = harness.log.entries.filter(({ message }) => message.includes('365 days'));
			expect(said).toHaveLength(1);
		});
	});
});
