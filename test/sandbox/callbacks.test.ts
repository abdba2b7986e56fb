import { sampleUrls } from '../../sandbox/fixtures/samples.cts';
import { openSandbox, submit } from './calls.cts';
import { openReceiver } from './receiver.cts';

const hook = '/hook?key=hidden';

describe('callbacks', () => {
	it('tell the receiver once, when the scan has finished on the clock', async () => {
		const open = await openSandbox();
		const receiver = await openReceiver();
		const { data } = await submit(open, '/api/v1/urls/', {
			path: sampleUrls.malicious,
			callback_url: receiver.origin + hook,
			callback_params: '{"ticket":7}',
			callback_headers: '{"X-Hook-Key":"from the caller"}',
		});
		expect(data).toEqual({ scan_id: expect.any(Number), callback_params: { ticket: 7 } });
		await open.sandbox.flushCallbacks();
		expect(receiver.received).toEqual([]);
		open.clock.advance(3_000);
		await open.sandbox.flushCallbacks();
		await open.sandbox.flushCallbacks();
		receiver.close();
		expect(receiver.received).toHaveLength(1);
		expect(receiver.received[0].headers['x-hook-key']).toBe('from the caller');
		expect(JSON.parse(receiver.received[0].body)).toEqual({
			scan_id: String(data.scan_id),
			name: sampleUrls.malicious,
			type: 'URL',
			path: sampleUrls.malicious,
			verdict: 'MAL',
			evidence: [expect.any(String)],
			params: { ticket: 7 },
		});
	});

	it('keep a record without the query or the headers, failures included', async () => {
		const open = await openSandbox({ scanning: { scanDurationMs: 0 } });
		const receiver = await openReceiver(500);
		const closed = await openReceiver();
		closed.close();
		for (const url of [receiver.origin, closed.origin, 'https://elsewhere.example']) {
			const fields = { path: sampleUrls.clean, callback_url: url + hook };
			expect((await submit(open, '/api/v1/urls/', fields)).status).toBe(200);
			await open.sandbox.flushCallbacks();
		}
		receiver.close();
		const deliveries = open.sandbox.callbacks('us');
		const outcome = deliveries.map(({ status, error }) => [status, error !== null]);
		expect(outcome).toEqual([
			[500, false],
			[null, true],
			[null, true],
		]);
		expect(JSON.stringify(deliveries)).not.toContain('hidden');
	});
});
