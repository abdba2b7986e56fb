import { lookUpScans, lookupWindows } from '../../../../nodes/ContentScan/verdict/listLookup';
import { FakeService, Refusal, scanService } from '../support/fakeService';

const at = (...seconds: number[]) =>
	seconds.map((second) => ({
		scanId: `s${second}`,
		listFrom: second * 1000 + 999,
		listTo: (second + 90) * 1000,
	}));

describe('the windows of a lookup', () => {
	it('are one without an end, from the earliest scan on, at first', () => {
		expect(lookupWindows(at(50, 10, 900), undefined)).toStrictEqual([
			{ start: 10, ids: new Set(['s10', 's50', 's900']) },
		]);
	});

	it('cover all time in which a scan may have been noted, and nothing in between', () => {
		expect(lookupWindows(at(0, 59, 5000), 60)).toStrictEqual([
			{ start: 0, end: 60, ids: new Set(['s0', 's59']) },
			{ start: 60, end: 120, ids: new Set(['s0', 's59']) },
			{ start: 120, end: 180, ids: new Set(['s59']) },
			{ start: 5000, end: 5060, ids: new Set(['s5000']) },
			{ start: 5060, end: 5120, ids: new Set(['s5000']) },
		]);
	});
});

describe('a lookup', () => {
	/** Endless pages where the window begins at 0; a page with what is sought elsewhere. */
	const service = () => {
		let page = 0;
		return new FakeService(({ call, address }) =>
			address !== undefined || call?.query?.start === 0
				? { results: [], next: `https://x/?page=${++page}` }
				: { results: [{ id: 's500' }], next: 'https://x/?more=1' },
		);
	};

	it('says that a window was cut off, though a later one was not', async () => {
		const windows = lookupWindows(at(0, 500), 120);
		const fake = service();
		const lookup = await lookUpScans(scanService(fake), windows, () => ({}));
		expect([...lookup.incomplete]).toStrictEqual(['s0']);
		expect(lookup.records.get('s500')).toStrictEqual({ id: 's500' });
		expect(fake.sent).toHaveLength(11);
	});

	it('reads on where one window cannot be read, and no further where none can', async () => {
		const refusing = (status: number) =>
			new FakeService(({ call }) =>
				call?.query?.start === 0 ? new Refusal(status) : { results: [{ id: 's500' }] },
			);
		const windows = lookupWindows(at(0, 500), 120);
		const lookup = await lookUpScans(scanService(refusing(500)), windows, () => ({}));
		expect([...lookup.incomplete]).toStrictEqual(['s0']);
		expect(lookup.records.get('s500')).toBeDefined();
		const none = refusing(401);
		const failed = await lookUpScans(scanService(none), windows, () => ({}));
		expect([...failed.incomplete]).toStrictEqual(['s0', 's500']);
		expect(failed.failure).toMatchObject({ httpCode: '401' });
		expect(none.sent).toHaveLength(1);
	});

	it('is not cut off where the list ends with its tenth page', async () => {
		let page = 0;
		const tenPages = new FakeService(() => ({
			results: [],
			next: ++page < 10 ? `https://x/?page=${page}` : null,
		}));
		const lookup = await lookUpScans(
			scanService(tenPages),
			lookupWindows(at(0), undefined),
			() => ({}),
		);
		expect(tenPages.sent).toHaveLength(10);
		expect(lookup.incomplete.size).toBe(0);
	});

	it('is not cut off where everything was found', async () => {
		const windows = lookupWindows(at(500), 60);
		const lookup = await lookUpScans(scanService(service()), windows, () => ({}));
		expect(lookup.incomplete.size).toBe(0);
	});
});
