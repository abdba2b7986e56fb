import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { createHash } from 'node:crypto';
import { detail, fieldError } from '../wire/refusal.cts';
import type { Fields } from './submissionFields.cts';
import { ContentInspector } from './verdicts.cts';

/** What is left of an uploaded file: it is looked at as it passes and never held. */
export interface Upload {
	fileName: string;
	sha256: string;
	fileSize: number;
	verdict: string;
}

/** Room for what stands around the file in a multipart body. */
const framingBytes = 1024 * 1024;

/**
 * Reads a multipart body: the content in part `data`, everything else as text.
 * @param maxFileBytes Largest file in bytes.
 * @throws Refusal 413 for a larger file, 400 for an empty one, a second one, or one in another part.
 */
export async function readUpload(
	request: FastifyRequest,
	maxFileBytes: number,
): Promise<{ fields: Fields; upload: Upload | null }> {
	const tooLarge = detail(413, `The file is larger than ${maxFileBytes} bytes.`);
	if (Number(request.headers['content-length']) > maxFileBytes + framingBytes) throw tooLarge;
	const fields: Fields = {};
	let upload: Upload | null = null;
	const limits = { fileSize: maxFileBytes, files: 2, fields: 50 };
	for await (const part of request.parts({ limits })) {
		if (part.type === 'field') {
			if (part.fieldname in fields)
				throw fieldError(part.fieldname, 'This field may be given once.');
			fields[part.fieldname] = String(part.value);
			continue;
		}
		const read = await inspect(part);
		if (part.file.truncated) throw tooLarge;
		if (part.fieldname !== 'data') throw fieldError(part.fieldname, 'Unknown field.');
		if (upload) throw fieldError('data', 'Only one file per request.');
		if (read.fileSize === 0) throw fieldError('data', 'The submitted file is empty.');
		upload = read;
	}
	return { fields, upload };
}

async function inspect(part: MultipartFile): Promise<Upload> {
	const hash = createHash('sha256');
	const inspector = new ContentInspector();
	let fileSize = 0;
	for await (const piece of part.file as AsyncIterable<Buffer>) {
		fileSize += piece.length;
		hash.update(piece);
		inspector.add(piece);
	}
	return {
		fileName: part.filename,
		sha256: hash.digest('hex'),
		fileSize,
		verdict: inspector.verdict,
	};
}
