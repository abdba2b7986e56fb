import type { UploadFile } from '../../transport/call';
import { FileFlaw, multipartForm } from '../../transport/multipart';

const MB = 1024 * 1024;

interface Opened {
	file: UploadFile;
	/** How often the file was opened, and how often it was closed again. */
	times: { opened: number; closed: number };
}

function fileOf(size: number, chunks: () => Iterable<Uint8Array | string | Error>): Opened {
	const times = { opened: 0, closed: 0 };
	async function* content(): AsyncGenerator<Uint8Array> {
		try {
			for (const chunk of chunks()) {
				if (chunk instanceof Error) throw chunk;
				yield chunk as Uint8Array;
			}
		} finally {
			times.closed++;
		}
	}
	const open = async () => {
		times.opened++;
		return content();
	};
	const file = { part: 'data', fileName: 'a.bin', mimeType: 'text/plain', size, open };
	return { file, times };
}

const inChunks = (...sizes: number[]) => sizes.map((size) => new Uint8Array(size).fill(size % 251));

const uploadOf = ({ file }: Opened) =>
	multipartForm({ type: 'multipart', fields: { name: 'a.bin' }, file });

const formOf = (opened: Opened) => uploadOf(opened).form;

/** Reads the file part as the HTTP client does. */
async function sentBytes(form: ReturnType<typeof formOf>): Promise<number> {
	const [part] = form.getAll('data') as unknown as Blob[];
	let sent = 0;
	for await (const chunk of part.stream() as unknown as AsyncIterable<Uint8Array>) {
		sent += chunk.byteLength;
	}
	return sent;
}

it.each([
	['small', [3, 4]],
	['large', [MB, MB, 5]],
])('a %s file has its fields first, then its name, type and every byte', async (_, sizes) => {
	const total = sizes.reduce((sum, size) => sum + size, 0);
	const opened = fileOf(total, () => inChunks(...sizes));
	const form = formOf(opened);
	expect([...form.entries()].map(([name]) => name)).toStrictEqual(['name', 'data']);
	expect(form.getAll('name')).toStrictEqual(['a.bin']);
	expect(form.getAll('data')[0]).toMatchObject({ name: 'a.bin', type: 'text/plain', size: total });
	expect(await sentBytes(form)).toBe(total);
	expect(opened.times).toStrictEqual({ opened: 1, closed: 1 });
});

it('a file is not opened before it is sent', () => {
	const opened = fileOf(2 * MB, () => inChunks(2 * MB));
	formOf(opened);
	expect(opened.times.opened).toBe(0);
});

it.each([
	['a\r\nX-Evil: 1', 'a__X-Evil: 1'],
	['a\0b\u0085c', 'a_b_c'],
	['C:\\x"; name="y', 'C:_x_; name=_y'],
	['größe 🙂.pdf', 'größe 🙂.pdf'],
	[`${'🙂'.repeat(100)}.pdf`, `${'🙂'.repeat(62)}.pdf`],
	['\ufffd'.repeat(100), '\ufffd'.repeat(85)],
	['\ud800'.repeat(100), '\ufffd'.repeat(85)],
])('the name %j cannot end the head of its part', (fileName, name) => {
	const opened = fileOf(1, () => inChunks(1));
	opened.file.fileName = fileName;
	expect(formOf(opened).getAll('data')[0]).toMatchObject({ name });
});

it.each([
	['text/plain; charset="utf-8"', 'text/plain; charset="utf-8"'],
	['text/plain\r\nX-Evil: 1', 'application/octet-stream'],
	['text/plain\u010aX', 'application/octet-stream'],
	['', 'application/octet-stream'],
	[`text/${'x'.repeat(250)}`, `text/${'x'.repeat(250)}`],
	[`text/${'x'.repeat(251)}`, 'application/octet-stream'],
])('the type %j becomes %s', (mimeType, type) => {
	const opened = fileOf(1, () => inChunks(1));
	opened.file.mimeType = mimeType;
	expect(formOf(opened).getAll('data')[0]).toMatchObject({ type });
});

it('each attempt starts from the first byte', async () => {
	const opened = fileOf(2 * MB, () => inChunks(MB, MB));
	for (let attempt = 0; attempt < 2; attempt++) {
		expect(await sentBytes(formOf(opened))).toBe(2 * MB);
	}
	expect(opened.times).toStrictEqual({ opened: 2, closed: 2 });
});

describe.each([
	['small', 10],
	['large', 2 * MB],
])('a %s file', (_, size) => {
	const upload = async (opened: Opened) => await sentBytes(formOf(opened));

	it.each([
		['one byte more than announced', 'moreBytes', () => inChunks(size, 1)],
		['endless', 'moreBytes', () => inChunks(...Array.from({ length: 9 }, () => size))],
		['one byte less than announced', 'fewerBytes', () => inChunks(size - 1)],
		['empty', 'fewerBytes', () => []],
		['broken in the middle', 'unreadable', () => [...inChunks(5), new Error('EIO')]],
		['texts', 'unreadable', () => ['x'.repeat(size)]],
	] as Array<[string, FileFlaw['kind'], () => Array<Uint8Array | string | Error>]>)(
		'that is %s breaks the upload off, and is closed',
		async (__, kind, chunks) => {
			const opened = fileOf(size, chunks);
			await expect(upload(opened)).rejects.toStrictEqual(new FileFlaw(kind));
			await expect(upload(opened)).rejects.toMatchObject({ kind });
			expect(opened.times).toStrictEqual({ opened: 2, closed: 2 });
		},
	);

	it('that cannot be opened is unreadable', async () => {
		const opened = fileOf(size, () => []);
		opened.file.open = async () => await Promise.reject(new Error('ENOENT'));
		await expect(upload(opened)).rejects.toMatchObject({ kind: 'unreadable' });
	});
});

it('a large file is closed when the upload is given up', async () => {
	const opened = fileOf(2 * MB, () => inChunks(MB, MB));
	const [part] = formOf(opened).getAll('data') as unknown as Blob[];
	for await (const chunk of part.stream() as unknown as AsyncIterable<Uint8Array>) {
		expect(chunk.byteLength).toBe(MB / 4);
		break;
	}
	expect(opened.times.closed).toBe(1);
});

it('a large file is closed when the HTTP client leaves it open', async () => {
	const opened = fileOf(2 * MB, () => inChunks(MB, MB));
	const { form, close } = uploadOf(opened);
	const [part] = form.getAll('data') as unknown as Blob[];
	const reading = (part.stream() as unknown as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
	await reading.next();
	expect(opened.times.closed).toBe(0);
	close();
	expect(await reading.next()).toMatchObject({ done: true });
	expect(opened.times.closed).toBe(1);
});

it('says while it waits for n8n to read on, so that a service is not blamed for it', async () => {
	let goOn = () => {};
	const waiting = new Promise<void>((resolve) => (goOn = resolve));
	async function* content() {
		yield new Uint8Array(1);
		await waiting;
		yield new Uint8Array(1);
	}
	const file = { ...fileOf(2, () => []).file, open: async () => content() };
	const upload = multipartForm({ type: 'multipart', fields: {}, file });
	const [part] = upload.form.getAll('data') as unknown as Blob[];
	const bytes = part.stream() as unknown as AsyncGenerator<Uint8Array>;
	await bytes.next();
	expect(upload.isAwaited()).toBe(false);
	const second = bytes.next();
	await Promise.resolve();
	expect(upload.isAwaited()).toBe(true);
	goOn();
	await second;
	expect(upload.isAwaited()).toBe(false);
});

it('a storage that gives no stream is one that cannot be read', async () => {
	const file = { ...fileOf(2, () => []).file, open: async () => null as never };
	const { form } = multipartForm({ type: 'multipart', fields: {}, file });
	await expect(sentBytes(form)).rejects.toBeInstanceOf(FileFlaw);
});
