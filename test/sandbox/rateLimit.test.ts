import type { OpenSandbox } from './calls.cts';
import { getScans, openSandbox, startMs } from './calls.cts';

const list = '/api/v1/scans/list/?limit=1';
const statuses = async (open: OpenSandbox, calls: number, token?: 'childOne') => {
	const answers: number[] = [];
	for (let i = 0; i < calls; i += 1) answers.push((await getScans(open, list, token)).status);
	return answers;
};

describe('calls per minute', () => {
	it('lets 100 calls of a token pass in any 60 s and refuses the next with 429', async () => {
		const open = await openSandbox();
		expect(await statuses(open, 100)).toEqual(Array(100).fill(200));
		const { status, data, headers } = await getScans(open, list);
		expect(status).toBe(429);
		expect(data).toEqual({ detail: 'Request was throttled.' });
		expect(headers).not.toHaveProperty('retry-after');
		expect(await statuses(open, 1, 'childOne')).toEqual([200]);
	});

	it('slides its window, and does not count refused calls', async () => {
		const open = await openSandbox({ scanning: { callsPerMinute: 2 } });
		expect(await statuses(open, 1)).toEqual([200]);
		open.clock.advance(40_000);
		expect(await statuses(open, 3)).toEqual([200, 429, 429]);
		open.clock.advance(19_999);
		expect(await statuses(open, 1)).toEqual([429]);
		open.clock.advance(1);
		expect(await statuses(open, 2)).toEqual([200, 429]);
	});

	it('says when to come back only if it is told to', async () => {
		const open = await openSandbox({ scanning: { callsPerMinute: 1, retryAfter: 'seconds' } });
		await getScans(open, list);
		open.clock.advance(15_500);
		expect((await getScans(open, list)).headers['retry-after']).toBe('45');
		open.sandbox.configure({ scanning: { retryAfter: 'date' } });
		const date = (await getScans(open, list)).headers['retry-after'];
		expect(Date.parse(date)).toBe(startMs + 60_000);
	});

	it('can be changed while it runs', async () => {
		const open = await openSandbox({ scanning: { callsPerMinute: 1 } });
		expect(await statuses(open, 2)).toEqual([200, 429]);
		open.sandbox.configure({ scanning: { callsPerMinute: 3 } });
		expect(await statuses(open, 3)).toEqual([200, 200, 429]);
	});
});
