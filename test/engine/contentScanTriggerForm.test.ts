import { FeedBench } from '../support/feedBench.cts';

/** What the fields of the trigger's form change, on a real service. */

// A busy machine is no reason to fail.
jest.setTimeout(30_000);

const MINUTE = 60_000;

let bench: FeedBench;

beforeEach(async () => (bench = await FeedBench.open()));

afterEach(async () => await bench.close());

describe('the filters', () => {
	it('go out as the service calls them', async () => {
		const options = { origin: 'api', organizationId: '1002' };
		const harness = await bench.trigger('default', { options });
		await harness.activate();
		await bench.minutes(harness);

		const [query] = bench.calls().slice(-1);
		expect(query.get('origin')).toBe('api');
		expect(query.get('organization_id')).toBe('1002');
	});

	it.each([
		[['clean'], ['CLN']],
		[[], ['MAL', 'CLN', 'XYZ']],
		[['other'], ['XYZ']],
	])('with %j selected, %j start the workflow', async (verdicts, codes) => {
		const harness = await bench.trigger('default', { verdicts });
		await harness.activate();
		bench.clock.advance(2000);
		bench.arrive({}, { verdict: 'CLN' }, { verdict: 'XYZ' });
		await bench.minutes(harness);

		expect(harness.emittedItems().map(({ verdictCode }) => verdictCode)).toEqual(codes);
	});
});

describe('without Simplify', () => {
	it('hands over the record as sent beside what every item holds', async () => {
		const harness = await bench.trigger('default', { simplify: false });
		await harness.activate();
		bench.clock.advance(2000);
		const [scanId] = bench.arrive({});
		await bench.minutes(harness);

		const { scan, ...rest } = harness.emittedItems()[0];
		expect(rest).toEqual({
			scanId,
			status: 'finished',
			verdict: 'malicious',
			verdictCode: 'MAL',
			clean: false,
			event: 'finished',
		});
		expect(scan).toMatchObject({ full_scan_id: scanId, verbose_verdict: 'MAL', campaign: null });
	});
});

describe('Fetch Test Event', () => {
	it('shows the ten newest finished scans with a selected verdict, and moves nothing', async () => {
		const now = bench.clock.now();
		const scans = Array.from({ length: 300 }, (_, index) => ({
			at: now - (300 - index) * 10 * MINUTE,
			verdict: index % 10 === 0 ? 'MAL' : 'CLN',
		}));
		const ids = bench.arrive(...scans);
		const harness = await bench.trigger('default');
		const { items } = await harness.manual();

		const wanted = ids
			.filter((_, index) => index % 10 === 0)
			.reverse()
			.slice(0, 10);
		expect(items?.map(({ scanId }) => scanId)).toEqual(wanted);
		expect(items?.[0].event).toBe('finished');
		expect(harness.persistedState()).toBeUndefined();
		expect(bench.calls().length).toBeLessThan(25);
	});

	it.each([
		['base64', (token: string) => Buffer.from(token).toString('base64')],
		['percent-escapes', (token: string) => token.replaceAll('-', '%2D')],
	])(
		'names the fields of what are no scans, without the token as %s in them',
		async (_, encode) => {
			const field = `of ${encode(String(bench.credential.apiToken))}`;
			const body = { json: { results: [{ name: 'a', [field]: 1 }] } };
			bench.sandbox.faults.add({ times: null, body });
			const harness = await bench.trigger('default');
			const { error } = await harness.manual();

			expect(error?.description).toContain('says: "name, of [redacted]"');
		},
	);

	it('says so where there is none', async () => {
		bench.arrive({ verdict: 'CLN' });
		const harness = await bench.trigger('default');
		const { error } = await harness.manual();

		expect(error?.message).toBe(
			'No finished scan of the last 90 days was found with one of these verdicts: malicious, suspicious, restricted, other',
		);
	});
});
