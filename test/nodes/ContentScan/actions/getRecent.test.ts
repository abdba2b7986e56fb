import { Refusal } from '../support/fakeService';
import type { Sent } from '../support/fakeService';
import { runNode, scan } from '../support/runNode';
import type { Listing } from '../support/timedList';
import { DAY, oldestFirst, SECOND_NOW, steady } from '../support/timedList';

/** Get where the service itself knows no scan by this ID. */
async function getFromList(listing: Listing, scanId: string) {
	const list = oldestFirst(listing);
	const reply = (sent: Sent) => (sent.call?.pathValues ? new Refusal(404) : list(sent));
	const { json, error, sent } = await runNode({ parameters: scan('get', { scanId }) }, reply);
	return { json, error, calls: sent.length - 1 };
}

/** The scan that was created so many seconds ago. */
const createdAgo = ({ seconds, prefix = '' }: Listing, ago: number) =>
	`${prefix}${seconds.filter((second) => second <= SECOND_NOW - ago).length - 1}`;

describe('Get of a scan that only the list has', () => {
	const rates = [20, 40, 60, 100, 200, 800];

	it.each(rates)(
		'finds a fresh one with three calls at most, at %d scans a minute',
		async (rate) => {
			const listing = { seconds: steady(rate, 3600) };
			for (const ago of [2, 15, 30, 60, 240]) {
				const scanId = createdAgo(listing, ago);
				const { json, calls } = await getFromList(listing, scanId);
				expect(json).toMatchObject([{ scanId }]);
				expect(calls).toBeLessThanOrEqual(3);
			}
		},
	);

	it('also beside a record whose ID hides how it becomes a text', async () => {
		const listing = { seconds: steady(60, 3600) };
		const list = oldestFirst(listing);
		const odd = { id: { toString: 1, valueOf: 2 } };
		const reply = (sent: Sent) => {
			if (sent.call?.pathValues) return new Refusal(404);
			const page = list(sent) as { results: object[] };
			return { ...page, results: [odd, ...page.results] };
		};
		const scanId = createdAgo(listing, 60);
		const { json } = await runNode({ parameters: scan('get', { scanId }) }, reply);
		expect(json).toMatchObject([{ scanId }]);
	});

	it.each([
		[60, 240],
		[100, 180],
		[400, 60],
		[800, 28],
	])(
		'finds one whose ID is no number, at %d scans a minute, up to %d seconds after',
		async (rate, oldest) => {
			const listing = { seconds: steady(rate, DAY), prefix: '001E_' };
			for (const ago of [2, 15, oldest / 2, oldest]) {
				const scanId = createdAgo(listing, ago);
				expect((await getFromList(listing, scanId)).json).toMatchObject([{ scanId }]);
			}
		},
	);

	it('finds one of half an hour in which most were created at the beginning', async () => {
		const seconds = [...steady(120, 1800, 900), SECOND_NOW - 60];
		const { json } = await getFromList({ seconds, prefix: 'x' }, `x${seconds.length - 1}`);
		expect(json).toMatchObject([{ scanId: `x${seconds.length - 1}` }]);
	});

	it.each([
		[
			'numbers do not rise with time',
			300,
			{ numbered: (place: number) => (place * 7919) % 99_991 },
		],
		['service gives 20 scans at once', 60, { largest: 20 }],
	])('finds the newest after a quiet half hour where %s', async (_, scans, more) => {
		const seconds = steady(scans / 480, 9 * 3600, 1920).slice(0, scans);
		const listing: Listing = { seconds, ...more };
		const scanId = String(listing.numbered?.(seconds.length - 1) ?? seconds.length - 1);
		expect((await getFromList(listing, scanId)).json).toMatchObject([{ scanId }]);
	});

	it.each([0, 0.01, 0.05, 0.1, 0.2])(
		'searches a quiet day to its end, with five calls at most (%d a minute)',
		async (rate) => {
			const { error, calls } = await getFromList({ seconds: steady(rate), prefix: 'x' }, '9');
			expect(error?.description).toContain('The list of the last 24 hours does not have it either');
			expect(calls).toBeLessThanOrEqual(5);
		},
	);

	it.each(['12', '99999999999999999999', '-5', '1e9'])(
		'is not led astray by an ID that says nothing of the time: %s',
		async (scanId) => {
			const listing = { seconds: steady(0.2) };
			const { error, calls } = await getFromList({ ...listing, prefix: '7000000' }, scanId);
			expect(error?.description).toContain('does not have it either');
			expect(calls).toBeLessThanOrEqual(5);
		},
	);

	it('does not say that a list has not got it which counts more than it shows', async () => {
		const listing = { seconds: steady(0.2), prefix: 'x', ends: 100 };
		const { error } = await getFromList(listing, '9');
		expect(error?.description).toContain('could not be searched to its end');
	});
});
