import type { IBinaryData } from 'n8n-workflow';
import { UserError } from 'n8n-workflow';
import { shortened } from '../../../../input/enteredValues';
import type { UploadFile } from '../../../../transport/call';
import type { ItemRun } from '../itemRun';
import { filesOf, refuseFilesElsewhere } from './itemFiles';

/** The documented largest file, 500 MB, read as 500 × 1024² bytes. */
export const LARGEST_FILE = 500 * 1024 * 1024;

/** Bytes of a stored file that are read, and sent, at a time. Pieces of 64 KB take twice the time. */
const READ_AT_A_TIME = 256 * 1024;

/** Bytes of an in-memory file that are decoded at a time; a multiple of 3, as base64 has it. */
const DECODED_AT_A_TIME = 3 * 64 * 1024;

/** How long a storage elsewhere may take to find a file, in milliseconds. n8n itself waits for ever. */
const STORAGE_ANSWERS_WITHIN_MS = 60_000;

function base64Size(base64: string): number {
	const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
	return Math.floor((base64.length * 3) / 4) - padding;
}

async function* decoded(base64: string): AsyncGenerator<Uint8Array> {
	const characters = (DECODED_AT_A_TIME / 3) * 4;
	for (let at = 0; at < base64.length; at += characters) {
		yield Buffer.from(base64.slice(at, at + characters), 'base64');
	}
}

async function storedSize({ context, clock, signal }: ItemRun, id: string): Promise<number> {
	const patience = new AbortController();
	const metadata = await Promise.race([
		context.helpers.getBinaryMetadata(id).catch(() => undefined),
		clock.sleep(STORAGE_ANSWERS_WITHIN_MS, AbortSignal.any([signal, patience.signal])),
	]);
	patience.abort();
	// A storage that does not tell the length gives NaN.
	const size = Number(metadata?.fileSize);
	if (Number.isSafeInteger(size)) return size;
	if (signal.aborted) {
		throw new UserError('The execution was canceled before this item was finished', {
			description: 'Nothing was uploaded.',
		});
	}
	throw new UserError('n8n could not read the file from its binary storage', {
		description:
			'It may be gone: run the node that produced it again. If that does not help, check the binary storage of n8n. Nothing was uploaded.',
	});
}

/**
 * Base64 without what is no part of it: some nodes wrap the lines of what they encode.
 * @returns `undefined` for what is no base64. Padding may be missing as a whole, as in URLs, but not in part.
 */
function plainBase64(text: string): string | undefined {
	if (!/^[A-Za-z0-9+/_ \t\r\n-]*(=[ \t\r\n]*){0,2}$/.test(text)) return undefined;
	const padding = text.includes('=') ? text.split('=').length - 1 : 0;
	if (!/[ \t\r\n]/.test(text)) {
		const isWhole = padding > 0 ? text.length % 4 === 0 : text.length % 4 !== 1;
		return isWhole ? text : undefined;
	}
	// To cut out, or count, millions of spaces takes seconds.
	const bytes = Buffer.from(text, 'base64');
	const isWhole = padding > 0 ? (bytes.length + padding) % 3 === 0 : endsWhole(text, bytes.length);
	return isWhole ? bytes.toString('base64') : undefined;
}

/** Whether the last character of unpadded base64 is part of a byte: one more than whole groups of four is not. */
function endsWhole(text: string, size: number): boolean {
	return Buffer.from(text.trimEnd().slice(0, -1), 'base64').length < size;
}

/** Where an expression has given the file itself. */
const ENTERED_FILE = "'Input Data Field Name'";

/** What n8n keeps in place of the base64 of a file that it has stored: the name of the storage. */
const STORAGES = ['default', 'filesystem', 'filesystem-v2', 's3', 'azure', 'database'];

/** @throws UserError for what is no base64: other bytes than the file's would be scanned. */
function base64Of({ data }: Partial<IBinaryData>, place: string): string {
	if (data === undefined && place === ENTERED_FILE) {
		throw new UserError(`The file in ${place} has come without its content`, {
			description:
				"n8n keeps it in memory, where expressions do not reach the content. Enter the name of the item's binary field instead, e.g. data.",
		});
	}
	if (typeof data === 'string' && STORAGES.includes(data)) {
		throw new UserError(`The file in ${place} has lost its content`, {
			description:
				"A node before this one has copied the file without its 'id', by which n8n finds the content. In a Code node, pass on the whole binary field.",
		});
	}
	const base64 = typeof data === 'string' ? plainBase64(data) : undefined;
	if (base64 !== undefined) return base64;
	throw new UserError(`The file in ${place} is not in base64`, {
		description: 'Check the node that produced the file: n8n keeps files as base64.',
	});
}

/** @throws UserError that lists the binary fields which the item has. */
function binaryOf({ context, itemIndex }: ItemRun, field: string): Partial<IBinaryData> {
	const binary = filesOf(context, itemIndex);
	// A Code node may have put anything there.
	if (Object.hasOwn(binary, field)) return binary[field] ?? {};
	const names = Object.keys(binary).map((name) => `'${name}'`);
	if (names.length === 0) refuseFilesElsewhere(context, itemIndex);
	throw new UserError(`The item has no binary field '${shortened(field)}'`, {
		description:
			names.length > 0
				? `It has ${shortened(names.join(', '))}. Correct 'Input Data Field Name', or enter * to scan all.`
				: 'It has no files. Check that the previous node passes them on.',
	});
}

/** Of a longer name, so many characters at its end are sent, since that tells what the file is. */
const LONGEST_NAME = 4000;

/** Where a file has no name, its extension tells the service what it is. */
function nameOf({ fileName, fileExtension }: Partial<IBinaryData>): string {
	if (fileName) return String(fileName).slice(-LONGEST_NAME);
	const extension = String(fileExtension || '')
		.slice(-LONGEST_NAME)
		.replace(/^\.+/, '');
	return extension === '' ? 'file' : `file.${extension}`;
}

/**
 * A file, to be sent as a part of a multipart body. Nothing of it is read before the upload begins.
 * @param source The item's binary field that holds it, or the file itself.
 * @throws UserError for a field that the item does not have, and a file that is empty, larger than
 * 500 MB, or gone.
 */
export async function uploadFile(
	item: ItemRun,
	source: string | Partial<IBinaryData>,
	part: string,
): Promise<UploadFile> {
	const { context } = item;
	const [binary, place] =
		typeof source === 'string'
			? [binaryOf(item, source), `the binary field '${shortened(source)}'`]
			: [source, ENTERED_FILE];
	const { id } = binary;
	const data = id ? '' : base64Of(binary, place);
	const size = id ? await storedSize(item, id) : base64Size(data);
	if (size === 0) {
		throw new UserError(`The file in ${place} is empty`, {
			description: 'There is nothing to scan. Check the node that produced the file.',
		});
	}
	if (size > LARGEST_FILE) {
		throw new UserError(`The file in ${place} is larger than 500 MB (${size} bytes)`, {
			description: `The service takes up to ${LARGEST_FILE} bytes (500 × 1024 × 1024). Nothing was uploaded.`,
		});
	}
	return {
		part,
		fileName: nameOf(binary),
		mimeType: binary.mimeType || 'application/octet-stream',
		size,
		open: async () =>
			id ? await context.helpers.getBinaryStream(id, READ_AT_A_TIME) : decoded(data),
	};
}
