import type { Body, UploadFile } from './call';

/**
 * Files up to this size, in bytes, go up as the platform's own FormData and Blob. Larger ones are
 * streamed, so that the memory an upload adds does not grow with the file.
 */
const LARGEST_IN_MEMORY = 1024 * 1024;

/** Thrown inside an upload whose file cannot be sent as announced; the request breaks off. */
export class FileFlaw extends Error {
	constructor(readonly kind: 'moreBytes' | 'fewerBytes' | 'unreadable') {
		super(kind);
	}
}

/** A file that n8n cannot read is told apart from a connection that broke. */
async function readable<T>(reading: Promise<T>): Promise<T> {
	return await reading.catch(async () => await Promise.reject(new FileFlaw('unreadable')));
}

/** Passes the file on, and breaks off when its size is not the announced one: never sent half. */
async function* exactly(file: UploadFile): AsyncGenerator<Uint8Array> {
	const chunks = (await readable(file.open()))[Symbol.asyncIterator]();
	const next = async () => await readable(chunks.next());
	let sent = 0;
	try {
		for (let result = await next(); !result.done; result = await next()) {
			sent += result.value.byteLength;
			if (sent > file.size) throw new FileFlaw('moreBytes');
			yield result.value;
		}
	} finally {
		await chunks.return?.();
	}
	if (sent < file.size) throw new FileFlaw('fewerBytes');
}

/** A file part shaped like the platform's File, its content read only while it is sent. */
class StreamedFile {
	readonly [Symbol.toStringTag] = 'File';
	readonly size: number;
	readonly name: string;
	readonly type: string;

	private readonly readings: Array<AsyncGenerator<Uint8Array>> = [];

	constructor(private readonly file: UploadFile) {
		this.size = file.size;
		this.name = file.fileName;
		this.type = file.mimeType;
	}

	stream(): AsyncIterable<Uint8Array> {
		const reading = exactly(this.file);
		this.readings.push(reading);
		return reading;
	}

	/** The HTTP client leaves a file open when the connection breaks. */
	close(): void {
		for (const reading of this.readings) reading.return(undefined).catch(() => undefined);
	}
}

/**
 * A form shaped like the platform's FormData. The HTTP client under n8n's request helper turns it
 * into a multipart stream with the right Content-Length by these methods alone; a test on the wire
 * guards that.
 */
class StreamedForm {
	readonly [Symbol.toStringTag] = 'FormData';

	constructor(private readonly parts: Array<[string, string | StreamedFile]>) {}

	append(name: string, value: string | StreamedFile): void {
		this.parts.push([name, value]);
	}

	getAll(name: string): Array<string | StreamedFile> {
		return this.parts.filter(([part]) => part === name).map(([, value]) => value);
	}

	entries(): IterableIterator<[string, string | StreamedFile]> {
		return this.parts[Symbol.iterator]();
	}

	[Symbol.iterator](): IterableIterator<[string, string | StreamedFile]> {
		return this.entries();
	}
}

async function inMemoryForm(fields: Record<string, string>, file: UploadFile): Promise<FormData> {
	const chunks: Uint8Array[] = [];
	for await (const chunk of exactly(file)) chunks.push(chunk);
	const form = new FormData();
	for (const [name, value] of Object.entries(fields)) form.append(name, value);
	form.append(file.part, new Blob(chunks as BlobPart[], { type: file.mimeType }), file.fileName);
	return form;
}

/** A form to send once. */
export interface Upload {
	form: FormData | StreamedForm;
	/** Ends the reading of the file, wherever it stands; for the time after the answer. */
	close(): void;
}

/**
 * The multipart form of an upload, made anew for every attempt, so that a permitted retry sends the
 * file from its first byte.
 * @throws FileFlaw when a small file cannot be read or does not have its announced size.
 */
export async function multipartForm({
	fields,
	file,
}: Extract<Body, { type: 'multipart' }>): Promise<Upload> {
	if (file.size <= LARGEST_IN_MEMORY) {
		return { form: await inMemoryForm(fields, file), close: () => undefined };
	}
	const content = new StreamedFile(file);
	return {
		form: new StreamedForm([...Object.entries(fields), [file.part, content]]),
		close: () => content.close(),
	};
}
