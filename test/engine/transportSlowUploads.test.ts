import { nodeGlobals } from '../support/engine/outsideJest.cts';
import { patternFile } from '../support/transport/patternFile.cts';
import { startSlowServer } from '../support/transport/slowServer.cts';
import { openScanTransport } from '../support/transport/transportBench.cts';

/** An upload may take long, as ten may share an uplink. Minutes without a byte are two seconds here. */

const SHORT_MS = 2000;
const MB = 1024 * 1024;
const SIZE = 24 * MB;

const { AbortSignal: signals } = nodeGlobals;
const { timeout } = signals;

beforeAll(() => (signals.timeout = (ms) => timeout.call(signals, ms > 60_000 ? SHORT_MS : ms)));

afterAll(() => (signals.timeout = timeout));

/** @param most Bytes of it that the service takes. */
async function upload(most?: number) {
	const server = await startSlowServer('{"scan_id": 1}', most);
	const bench = await openScanTransport(server.origin);
	const file = { part: 'data', fileName: 'a.bin', mimeType: 'x/y', size: SIZE };
	const begun = performance.now();
	const { body, error } = await bench.send({
		method: 'POST',
		idempotent: false,
		purpose: 'scan the file',
		body: { type: 'multipart', fields: {}, file: { ...file, ...patternFile(SIZE) } },
	});
	const took = performance.now() - begun;
	bench.close();
	server.close();
	return { body, error, took };
}

it('an upload that goes on slowly is not broken off', async () => {
	const { body, error, took } = await upload();
	expect(error).toBeUndefined();
	expect(body).toEqual({ scan_id: 1 });
	expect(took).toBeGreaterThan(2 * SHORT_MS);
});

it('one that the service takes no more of is', async () => {
	const { error } = await upload(2 * MB);
	expect(error?.message).toContain('did not answer');
	expect(error?.description).toContain('not certain whether the call was carried out');
});
