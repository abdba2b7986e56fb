import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { nodeGlobals } from '../support/engine/outsideJest.cts';
import { patternFile } from '../support/transport/patternFile.cts';
import { openScanTransport } from '../support/transport/transportBench.cts';

/** An upload may take long, as ten may share an uplink. Minutes without a byte are half a second here. */

const SHORT_MS = 500;
const MB = 1024 * 1024;
const SIZE = 24 * MB;

const { AbortSignal: signals } = nodeGlobals;
const { timeout } = signals;

beforeAll(() => (signals.timeout = (ms) => timeout.call(signals, ms > 60_000 ? SHORT_MS : ms)));

afterAll(() => (signals.timeout = timeout));

/** Submits a file to a service that takes a quarter of a megabyte of it every so often, up to `most` bytes. */
async function submit(most: number) {
	const take = (message: IncomingMessage, onEnd: () => void) => {
		let taken = 0;
		const timer = setInterval(() => {
			const chunk = taken < most ? (message.read(MB / 4) as Buffer | null) : null;
			taken += chunk?.length ?? 0;
			if (message.complete && message.readableLength === 0) message.resume();
		}, 12);
		message.on('end', onEnd).on('close', () => clearInterval(timer));
	};
	const server = createServer((message, response) => {
		take(message, () => response.end('{"scan_id": 1}'));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const bench = await openScanTransport(
		`http://127.0.0.1:${(server.address() as AddressInfo).port}`,
	);
	const file = {
		...{ part: 'data', fileName: 'a.bin', mimeType: 'x/y', size: SIZE },
		...patternFile(SIZE),
	};
	const begun = performance.now();
	const { body, error } = await bench.send({
		method: 'POST',
		idempotent: false,
		purpose: 'scan the file',
		body: { type: 'multipart', fields: {}, file },
	});
	const took = performance.now() - begun;
	bench.close();
	server.closeAllConnections();
	server.close();
	return { body, error, took };
}

it('an upload that goes on slowly is not broken off', async () => {
	const { body, error, took } = await submit(Infinity);
	expect(error).toBeUndefined();
	expect(body).toEqual({ scan_id: 1 });
	expect(took).toBeGreaterThan(2 * SHORT_MS);
});

it('one that the service takes no more of is', async () => {
	const { error } = await submit(2 * MB);
	expect(error?.message).toContain('did not answer');
	expect(error?.description).toContain('not certain whether the call was carried out');
});
