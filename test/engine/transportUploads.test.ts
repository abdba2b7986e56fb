import { closedSockets } from '../support/transport/closedSockets.cts';
import { startHastyServer } from '../support/transport/hastyServer.cts';
import { memoryHeldDuring } from '../support/transport/memory.cts';
import { patternFile } from '../support/transport/patternFile.cts';
import type { RawServer } from '../support/transport/rawServer.cts';
import {
	answer,
	cutBeforeTheAnswer,
	deadOrigin,
	startRawServer,
} from '../support/transport/rawServer.cts';
import type { TransportBench } from '../support/transport/transportBench.cts';
import { openScanTransport, TOKEN } from '../support/transport/transportBench.cts';

/** Uploads on the wire. They rest on what n8n's HTTP client makes of a form, hence these tests. */

const MB = 1024 * 1024;
const SIZES: Array<[string, number]> = [
	['small', 1000],
	['large', 20 * MB + 7],
];

let server: RawServer;
let bench: TransportBench;

beforeAll(async () => {
	server = await startRawServer();
	bench = await openScanTransport(server.origin);
});

beforeEach(() => {
	server.requests.length = 0;
	server.behave(answer(200, '{"scan_id": 1}'));
});

afterAll(async () => {
	bench.close();
	await server.close();
});

interface Upload {
	size: number;
	announced?: number;
	breaksAt?: number;
	fileName?: string;
	fields?: Record<string, string>;
}

function upload({ size, announced = size, breaksAt, fileName = 'a.bin', fields }: Upload) {
	const pattern = patternFile(size, breaksAt);
	const file = {
		part: 'data',
		fileName,
		mimeType: 'application/x-test',
		size: announced,
		...pattern,
	};
	return {
		method: 'POST' as const,
		idempotent: false,
		purpose: 'scan the file',
		body: { type: 'multipart' as const, fields: fields ?? { name: fileName }, file },
	};
}

it('a file of which the service took only a part does not count as scanned, whatever it says', async () => {
	const hasty = await startHastyServer('{"scan_id": 1}');
	const own = await openScanTransport(hasty.origin);
	const { error } = await own.send(upload({ size: 20 * MB }));
	own.close();
	hasty.close();
	expect(error?.message).toContain('the scanning service answered before it had the whole file');
	expect(error?.description).toContain('not certain whether the call was carried out');
});

it.each([
	['a success', { status: 200 }, 'answered before it had the whole file'],
	['a refusal', { status: 413 }, 'at most 10 MB'],
	['a damaged answer', { status: 200, isDamaged: true }, 'only a part of the answer'],
])('%s that comes before the whole file is read, and its connection closed', async (...told) => {
	const [, answerEarly, message] = told;
	const hasty = await startHastyServer('{"detail": "at most 10 MB"}', answerEarly);
	const own = await openScanTransport(hasty.origin);
	const connections = await closedSockets(async () => {
		const { error } = await own.send(upload({ size: 20 * MB }));
		expect(`${error?.message} ${error?.description}`).toContain(message);
	});
	expect(connections).toBe(1);
	own.close();
	hasty.close();
});

it('also where a part of the file is only on its way: the service need not take it', async () => {
	const hasty = await startHastyServer('{"detail": "at most 10 MB"}', { status: 413 });
	const own = await openScanTransport(hasty.origin);
	const connections = await closedSockets(async () => {
		// So much fits into the buffers of a connection.
		for (let size = 3_900_000; size < 4_400_000; size += 50_000)
			expect((await own.send(upload({ size }))).error).toBeDefined();
	});
	expect(connections).toBe(10);
	own.close();
	hasty.close();
});

describe.each(SIZES)('a %s file', (_, size) => {
	it('arrives byte for byte, with its length, boundary and part names', async () => {
		const call = upload({ size, fields: { name: 'ä "b"', password: 'x\ny\rz\r\n' } });
		expect(await bench.send(call)).toMatchObject({ body: { scan_id: 1 } });
		const [{ headers, body, bodyBytes, fileDigest }] = server.requests;
		expect(headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
		expect(headers['content-length']).toBe(String(bodyBytes));
		expect(headers['transfer-encoding']).toBeUndefined();
		expect(headers.authorization).toBe(`Token ${TOKEN}`);
		expect([...body.matchAll(/form-data; name="(\w+)"/g)].map(([, name]) => name)).toStrictEqual([
			'name',
			'password',
			'data',
		]);
		expect(body).toMatch(/name="data"; filename="a.bin"\r\nContent-Type: application\/x-test\r\n/);
		expect(body).toMatch(/name="password"\r\nContent-Type: [^\r]*\r\n\r\nx\ny\rz\r\n\r\n--/);
		expect(fileDigest).toBe(call.body.file.digest());
	});

	it('is sent from its first byte when an attempt was refused before', async () => {
		server.behave(answer(429), answer(200, '{"scan_id": 1}'));
		const own = await openScanTransport(server.origin);
		const call = upload({ size });
		expect(await own.send(call)).toMatchObject({ body: { scan_id: 1 } });
		own.close();
		const digests = server.requests.map(({ fileDigest }) => fileDigest);
		expect(digests).toStrictEqual([call.body.file.digest(), call.body.file.digest()]);
	});

	it('is sent again where nothing listens, and what was opened is closed', async () => {
		const own = await openScanTransport(await deadOrigin());
		const call = upload({ size });
		const { error } = await own.send(call);
		own.close();
		expect(error?.message).toContain('nothing accepts connections');
		expect(error?.description).not.toContain('not certain');
		expect(own.waited()).toBe(1000 + 3000 + 8000);
		expect(call.body.file.times.closed).toBe(call.body.file.times.opened);
	});

	it('is sent once when the connection breaks', async () => {
		server.behave(cutBeforeTheAnswer);
		const { error } = await bench.send(upload({ size }));
		expect(error?.description).toContain('It is not certain whether the call was carried out');
		expect(server.requests).toHaveLength(1);
	});

	it.each([
		['longer than announced', { size, announced: size - 1 }, 'the file holds more bytes than'],
		['shorter than announced', { size, announced: size + 1 }, 'the file holds fewer bytes than'],
		['not readable to its end', { size, breaksAt: size / 2 }, 'n8n could not read the file'],
	])('that is %s never arrives whole, and the text says so', async (__, file, message) => {
		const { error } = await bench.send(upload(file));
		expect(error?.message).toContain(message);
		expect(error?.description).toContain('the service did not get the whole file'.slice(1));
		expect(error?.description).not.toContain('not certain');
		expect(server.requests.filter(({ complete }) => complete)).toHaveLength(0);
	});
});

it.each([
	['quotes "and" \\backslash\\.txt'],
	['line\r\nX-Evil: 1\r\n\r\nbreak.txt'],
	['ünï¢ødé 😀.txt'],
	['a;b=c.txt'],
	['%0D%0A.txt'],
])('the file name %j stays in its place, and so does a type like it', async (fileName) => {
	for (const size of [10, 2 * MB]) {
		server.requests.length = 0;
		const call = upload({ size, fileName, fields: { name: fileName } });
		call.body.file.mimeType = `text/plain; x=${fileName}`;
		await bench.send(call);
		const [{ body, headers }] = server.requests;
		const boundary = String(headers['content-type']).split('boundary=')[1];
		const parts = body.slice(0, 3000).split(`--${boundary}\r\n`).slice(1);
		expect(parts).toHaveLength(2);
		const [head] = parts[1].split('\r\n\r\n');
		expect(head.split('\r\n').map((line) => line.split(':')[0].toLowerCase())).toStrictEqual([
			'content-disposition',
			'content-type',
		]);
	}
});

it('a large file takes no more memory than a part of it', async () => {
	const call = upload({ size: 128 * MB });
	const { result, held } = await memoryHeldDuring(async () => await bench.send(call));
	expect(result).toMatchObject({ body: { scan_id: 1 } });
	expect(held).toBeLessThan(32 * MB);
}, 30_000);
