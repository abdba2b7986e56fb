import type { Body, UploadFile } from './call';

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

/** So many bytes of a file are handed on at once: each says that the upload goes on. Smaller ones take longer. */
const PIECE = 256 * 1024;

/** Passes the file on, and breaks off when its size is not the announced one: never sent half. */
async function* exactly(
	file: UploadFile,
	state: { isRead: boolean; isAwaited: boolean; onTaken: () => void },
): AsyncGenerator<Uint8Array> {
	const awaited = async <T>(reading: Promise<T>): Promise<T> => {
		state.isAwaited = true;
		const result = await readable(reading);
		state.isAwaited = false;
		return result;
	};
	const open = async () => (await file.open())[Symbol.asyncIterator]();
	const chunks = await awaited(open());
	const next = async () => await awaited(chunks.next());
	let sent = 0;
	try {
		for (let result = await next(); !result.done; result = await next()) {
			if (!(result.value instanceof Uint8Array)) throw new FileFlaw('unreadable');
			sent += result.value.byteLength;
			if (sent > file.size) throw new FileFlaw('moreBytes');
			for (let at = 0; at < result.value.byteLength; at += PIECE) {
				yield result.value.subarray(at, at + PIECE);
				state.onTaken();
			}
		}
	} finally {
		await chunks.return?.();
	}
	if (sent < file.size) throw new FileFlaw('fewerBytes');
	state.isRead = true;
}

/** A part shaped like the platform's File, its content read only while it is sent. */
interface StreamedPart {
	readonly [Symbol.toStringTag]: 'File';
	readonly size: number;
	/** A part without a name is a plain field. */
	readonly name?: string;
	readonly type: string;
	stream(): AsyncIterable<Uint8Array>;
}

/** Bytes of a name, or a type, that the head of a part holds: some services refuse a head of over 1,024. */
const LONGEST_IN_HEAD = 255;

const MIME_TYPE = new RegExp(`^[\\x20-\\x7e]{1,${LONGEST_IN_HEAD}}$`);

/** Its end tells what the file is. */
function endOf(name: string): string {
	const bytes = Buffer.from(name);
	let begin = Math.max(0, bytes.length - LONGEST_IN_HEAD);
	// Not within a character.
	while ((bytes[begin] & 0xc0) === 0x80) begin++;
	return bytes.subarray(begin).toString();
}

class StreamedFile implements StreamedPart {
	readonly [Symbol.toStringTag] = 'File';
	readonly size: number;
	readonly name: string;
	readonly type: string;

	/** Whether it was read to its end, all of it for the request. */
	isRead = false;
	/** Whether n8n is being asked for its next bytes. */
	isAwaited = false;
	private readonly readings: Array<AsyncGenerator<Uint8Array>> = [];

	/** @param onTaken Called when the HTTP client has taken another piece of the file. */
	constructor(
		private readonly file: UploadFile,
		readonly onTaken: () => void,
	) {
		this.size = file.size;
		// They stand in the head of the part, which no character of theirs may end.
		this.name = endOf(file.fileName).replace(/[\p{Cc}"\\]/gu, '_');
		this.type = MIME_TYPE.test(file.mimeType) ? file.mimeType : 'application/octet-stream';
	}

	stream(): AsyncIterable<Uint8Array> {
		const reading = exactly(this.file, this);
		this.readings.push(reading);
		return reading;
	}

	/** The HTTP client leaves a file open when the connection breaks. */
	close(): void {
		for (const reading of this.readings) reading.return(undefined).catch(() => undefined);
	}
}

/** A text as it is: the HTTP client would make each line feed two characters. */
function exactText(text: string): StreamedPart {
	const bytes = Buffer.from(text);
	async function* content() {
		yield bytes;
	}
	return {
		[Symbol.toStringTag]: 'File',
		size: bytes.byteLength,
		type: 'text/plain; charset=utf-8',
		stream: content,
	};
}

/**
 * A form shaped like the platform's FormData. The HTTP client under n8n's request helper turns it
 * into a multipart stream with the right Content-Length by these methods alone; a test on the wire
 * guards that.
 */
class StreamedForm {
	readonly [Symbol.toStringTag] = 'FormData';

	constructor(private readonly parts: Array<[string, string | StreamedPart]>) {}

	append(name: string, value: string | StreamedPart): void {
		this.parts.push([name, value]);
	}

	getAll(name: string): Array<string | StreamedPart> {
		return this.parts.filter(([part]) => part === name).map(([, value]) => value);
	}

	entries(): IterableIterator<[string, string | StreamedPart]> {
		return this.parts[Symbol.iterator]();
	}

	[Symbol.iterator](): IterableIterator<[string, string | StreamedPart]> {
		return this.entries();
	}
}

export interface Upload {
	form: StreamedForm;
	/** Whether the whole file was read for the request. */
	isRead(): boolean;
	/** Whether n8n is being asked for the next bytes of the file. */
	isAwaited(): boolean;
	/** Ends the reading of the file, wherever it stands; for the time after the answer. */
	close(): void;
}

/**
 * The multipart form of an upload, made for each attempt, so that a permitted retry sends the file
 * from its first byte. The file is streamed: the memory an upload takes does not grow with it.
 * @param onTaken Called whenever the HTTP client has taken another piece of the file.
 */
export function multipartForm(
	{ fields, file }: Extract<Body, { type: 'multipart' }>,
	onTaken: () => void = () => {},
): Upload {
	const content = new StreamedFile(file, onTaken);
	const texts = Object.entries(fields).map(([name, text]): [string, string | StreamedPart] => [
		name,
		/[\r\n]/.test(text) ? exactText(text) : text,
	]);
	return {
		form: new StreamedForm([...texts, [file.part, content]]),
		isRead: () => content.isRead,
		isAwaited: () => content.isAwaited,
		close: () => content.close(),
	};
}
