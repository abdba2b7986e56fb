import { sandboxSecretMarker } from '../../sandbox/fixtures/accounts.cts';
import type { PersistenceMode } from '../support/engine/pollHarness.cts';
import { FeedBench, scanIds } from '../support/feedBench.cts';

/** The trigger in n8n's poll executor, in both of n8n's ways to keep its position, on a real service. */

// A busy machine is no reason to fail.
jest.setTimeout(30_000);

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let bench: FeedBench;

beforeEach(async () => (bench = await FeedBench.open()));

afterEach(async () => await bench.close());

const modes: PersistenceMode[] = ['default', 'durable'];

describe.each(modes)('in %s mode', (mode) => {
	it('delivers scans that finish after the activation, each once, with no option touched', async () => {
		bench.arrive({}, { finishAt: bench.inMinutes(5) });
		bench.clock.advance(2000);
		const harness = await bench.trigger(mode);
		await harness.activate();
		bench.clock.advance(2000);
		const [malicious, , unknown] = bench.arrive({}, { verdict: 'CLN' }, { verdict: 'XYZ' });
		const [slow] = bench.arrive({ finishAt: bench.inMinutes(30) });
		await bench.minutes(harness, 50);

		expect(scanIds(harness)).toEqual([malicious, unknown, slow]);
		expect(harness.emittedItems()[0]).toEqual({
			scanId: malicious,
			status: 'finished',
			verdict: 'malicious',
			verdictCode: 'MAL',
			clean: false,
			createdAt: expect.any(String),
			finishedAt: expect.any(String),
			names: [expect.any(String)],
			sha256: expect.any(String),
			from: expect.any(String),
			event: 'finished',
		});
		expect(harness.errors).toEqual([]);
	});

	it.each([-60 * MINUTE, 5 * MINUTE])(
		'starts by the clock of the service, with a computer that is %i ms off',
		async (skew) => {
			const clock = { now: () => bench.clock.now() + skew };
			bench.arrive({});
			bench.clock.advance(2000);
			const harness = await bench.trigger(mode, {}, { clock });
			await harness.activate();
			bench.clock.advance(2000);
			const ids = bench.arrive({}, {});
			await bench.minutes(harness, 3);

			expect(scanIds(harness)).toEqual(ids);
		},
	);

	it('starts somewhat earlier, with a computer that is minutes behind: it may be the service that is ahead', async () => {
		const clock = { now: () => bench.clock.now() - 5 * MINUTE };
		const before = bench.arrive({});
		bench.clock.advance(2000);
		const harness = await bench.trigger(mode, {}, { clock });
		await harness.activate();
		bench.clock.advance(2000);
		const ids = [...before, ...bench.arrive({}, {})];
		await bench.minutes(harness, 3);

		expect(scanIds(harness)).toEqual(ids);
	});

	it('loses nothing when n8n is killed before the first tick', async () => {
		const harness = await bench.trigger(mode);
		await harness.activate();
		bench.clock.advance(2000);
		const ids = bench.arrive({});
		bench.clock.advance(10 * MINUTE);
		await harness.restart();
		await bench.minutes(harness, 2);

		expect(scanIds(harness)).toEqual(ids);
	});

	it('spends one call a poll while nothing happens', async () => {
		const harness = await bench.trigger(mode);
		await harness.activate();
		bench.arrive({ verdict: 'CLN', at: bench.clock.now() - HOUR });
		await bench.minutes(harness, 2);
		const before = bench.calls().length;
		await bench.minutes(harness, 20);

		expect(bench.calls()).toHaveLength(before + 20);
		expect(harness.executions).toEqual([]);
	});

	it('begins at a date, and finds what a restart interrupted', async () => {
		const now = bench.clock.now();
		const at = (hours: number) => now - hours * HOUR;
		const [, ...ids] = bench.arrive({ at: at(30) }, { at: at(20) }, { at: at(10) }, { at: at(1) });
		const startDate = new Date(at(25)).toISOString();
		const options = { maxScansPerPoll: 1 };
		const harness = await bench.trigger(mode, { startFrom: 'date', startDate, options });
		await harness.activate();
		await bench.minutes(harness, 1);
		await harness.restart();
		await bench.minutes(harness, 3);

		expect(scanIds(harness)).toEqual(ids);
	});

	it('finds scans that are listed late, and doubles nothing over restarts', async () => {
		const harness = await bench.trigger(mode);
		await harness.activate();
		bench.clock.advance(2000);
		const [late, soon] = bench.arrive({ appearAt: bench.inMinutes(9) }, {});
		await bench.minutes(harness, 3);
		await harness.restart();
		await bench.minutes(harness, 12);

		expect(scanIds(harness)).toEqual([soon, late]);
	});

	it('tells a change from clean to malicious where the user wants it', async () => {
		const options = { verdictChanges: true };
		const harness = await bench.trigger(mode, { options });
		await harness.activate();
		bench.clock.advance(2000);
		const changes = [{ at: bench.inMinutes(120), verdict: 'MAL' }];
		const [id] = bench.arrive({ verdict: 'CLN', changes });
		await bench.minutes(harness, 150);

		expect(harness.emittedItems()).toEqual([
			expect.objectContaining({ scanId: id, event: 'changed', previousVerdict: 'clean' }),
		]);
	});

	it('tells of a scan that does not finish in time, as unfinished and not as clean', async () => {
		const options = { watchHours: 1 };
		const harness = await bench.trigger(mode, { options });
		await harness.activate();
		bench.clock.advance(2000);
		const [id] = bench.arrive({ finishAt: null });
		await bench.minutes(harness, 82);

		expect(harness.emittedItems()).toEqual([
			expect.objectContaining({ scanId: id, event: 'unfinished', clean: null, verdict: null }),
		]);
	});

	it('reads windows that the service refuses for being too long in shorter ones', async () => {
		bench.sandbox.configure({ scanning: { listCountLimit: 50 } });
		const now = bench.clock.now();
		const scans = Array.from({ length: 400 }, (_, index) => ({ at: now - index * 20_000 }));
		const ids = bench.arrive(...scans.reverse());
		const startDate = new Date(now - 3 * HOUR).toISOString();
		const harness = await bench.trigger(mode, { startFrom: 'date', startDate });
		await harness.activate();
		await bench.minutes(harness, 12);

		expect(scanIds(harness)).toEqual(ids);
		expect(harness.errors).toEqual([]);
	});

	it('begins again at its Start From when the user enters another text in Start Over', async () => {
		const [before, ...ids] = bench.arrive({ at: bench.clock.now() - HOUR }, {}, {});
		const startDate = new Date(bench.clock.now() - MINUTE).toISOString();
		const parameters = { startFrom: 'date', startDate };
		const harness = await bench.trigger(mode, parameters);
		await harness.activate();
		await bench.minutes(harness, 3);
		expect(scanIds(harness)).toEqual(ids);

		await harness.update({ parameters: { ...parameters, options: { startOver: 'again' } } });
		await bench.minutes(harness, 3);
		await harness.restart();
		await bench.minutes(harness, 3);

		expect(scanIds(harness)).toEqual([...ids, ...ids]);
		expect(scanIds(harness)).not.toContain(before);
		const said = harness.log.entries.filter(({ message }) => message.includes("'Start Over'"));
		expect(said).toHaveLength(1);
	});

	describe('when a call fails', () => {
		it.each([
			[{ status: 401 }, { cause: 'credential-invalid' }],
			[{ status: 403 }, { cause: 'configuration-invalid' }],
			[
				{ status: 429, retryAfter: { seconds: 600 } },
				// Less the moments since the refusal: the queue goes by the real time.
				{ cause: 'rate-limited', retryAfterMs: expect.closeTo(600_000, -4) },
			],
			[{ status: 500 }, { cause: 'temporarily-unavailable' }],
		])('fails as n8n wants it, and loses nothing: %j', async (fault, failure) => {
			const harness = await bench.trigger(mode);
			await harness.activate();
			bench.clock.advance(2000);
			const ids = bench.arrive({});
			bench.sandbox.faults.add({ service: 'scan', times: null, ...fault });
			await bench.minutes(harness);
			bench.sandbox.faults.clear();
			// The pause after a 429 ends with the process.
			await harness.restart();
			await bench.minutes(harness);

			expect(harness.errors).toHaveLength(1);
			expect(harness.errors[0].failure).toMatchObject(failure);
			expect(harness.errors[0].everything()).not.toContain(sandboxSecretMarker);
			expect(scanIds(harness)).toEqual(ids);
		});
	});

	it('hands each scan over once when polls overlap', async () => {
		const harness = await bench.trigger(mode);
		await harness.activate();
		bench.clock.advance(2000);
		const ids = bench.arrive({}, {}, {});
		bench.clock.advance(MINUTE);
		await harness.overlappingTicks(4);
		await bench.minutes(harness, 2);

		expect(scanIds(harness)).toEqual(ids);
	});

	it('loses nothing and doubles nothing when it is killed before n8n has saved', async () => {
		const harness = await bench.trigger(mode);
		await harness.activate();
		bench.clock.advance(2000);
		const first = bench.arrive({});
		await bench.minutes(harness);
		const second = bench.arrive({});
		bench.clock.advance(MINUTE);
		await harness.tick({ crash: 'beforeSaving' });
		await harness.restart();
		const third = bench.arrive({});
		await bench.minutes(harness, 2);

		expect(scanIds(harness)).toEqual([...first, ...second, ...third]);
	});

	it('continues near the present after a restart, although nothing came for a day', async () => {
		const harness = await bench.trigger(mode);
		await harness.activate();
		for (let hour = 0; hour < 24; hour++) {
			bench.clock.advance(HOUR);
			await harness.tick();
		}
		// Without an execution n8n's default mode stores nothing.
		expect(harness.executions.map(({ items }) => items)).toEqual(
			mode === 'default' ? [[], [], []] : [],
		);
		await harness.restart();
		const before = bench.calls().length;
		await bench.minutes(harness);
		const [from] = bench
			.calls()
			.slice(before)
			.map((query) => Number(query.get('start')) * 1000);
		expect(bench.clock.now() - from).toBeLessThan(7 * HOUR);
	});

	it('comes back from a position in the future, where a wrong clock led it', async () => {
		let skew = 30 * HOUR;
		const clock = { now: () => bench.clock.now() + skew };
		const harness = await bench.trigger(mode, {}, { clock });
		await harness.activate();
		await bench.minutes(harness, 2);
		skew = 0;
		await bench.minutes(harness, 2);
		const ids = bench.arrive({}, {});
		await bench.minutes(harness, 2);

		expect(scanIds(harness)).toEqual(ids);
		const said = harness.log.entries.filter(({ message }) =>
			message.includes('its time is in the future'),
		);
		expect(said).toHaveLength(1);
	});
});
