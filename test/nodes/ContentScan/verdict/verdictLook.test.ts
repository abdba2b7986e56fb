import {
	lookForScans,
	lookWindows,
	shorterSpan,
} from '../../../../nodes/ContentScan/verdict/verdictLook';
import { FakeService, scanService } from '../support/fakeService';

const at = (...seconds: number[]) =>
	seconds.map((second) => ({ scanId: `s${second}`, listFrom: second * 1000 + 999 }));

describe('the windows of a look', () => {
	it('are one without an end, from the earliest scan on, at first', () => {
		expect(lookWindows(at(50, 10, 900), undefined)).toStrictEqual([
			{ start: 10, end: undefined, ids: new Set(['s10', 's50', 's900']) },
		]);
	});

	it('cover every scan and the time until it is listed, and nothing in between', () => {
		expect(lookWindows(at(0, 59, 60, 5000), 60)).toStrictEqual([
			{ start: 0, end: 180, ids: new Set(['s0', 's59']) },
			{ start: 60, end: 240, ids: new Set(['s60']) },
			{ start: 5000, end: 5180, ids: new Set(['s5000']) },
		]);
	});

	it('become shorter down to a minute', () => {
		const spans = [undefined, 900, 450, 100, 60].map(shorterSpan);
		expect(spans).toStrictEqual([900, 450, 225, 60, 60]);
	});
});

describe('a look', () => {
	/** Endless pages where the window begins at 0; a page with what is sought elsewhere. */
	const service = () => {
		let page = 0;
		return new FakeService(({ call, address }) =>
			address !== undefined || call?.query?.start === 0
				? { results: [], next: `https://x/?page=${++page}` }
				: { results: [{ id: 's500' }], next: 'https://x/more' },
		);
	};

	it('says that a window was cut off, though a later one was not', async () => {
		const windows = lookWindows(at(0, 500), 60);
		const fake = service();
		const look = await lookForScans(
			scanService(fake),
			windows,
			() => ({}),
			() => {},
		);
		expect(look.cutOff).toBe(true);
		expect(look.records.get('s500')).toStrictEqual([{ id: 's500' }]);
		expect(fake.sent).toHaveLength(11);
	});

	it('is not cut off where the list ends with its tenth page', async () => {
		let page = 0;
		const tenPages = new FakeService(() => ({
			results: [],
			next: ++page < 10 ? `https://x/?page=${page}` : null,
		}));
		const look = await lookForScans(
			scanService(tenPages),
			lookWindows(at(0), undefined),
			() => ({}),
			() => {},
		);
		expect(tenPages.sent).toHaveLength(10);
		expect(look.cutOff).toBe(false);
	});

	it('is not cut off where everything was found', async () => {
		const windows = lookWindows(at(500), 60);
		const look = await lookForScans(
			scanService(service()),
			windows,
			() => ({}),
			() => {},
		);
		expect(look.cutOff).toBe(false);
	});
});
