import { Readable } from 'node:stream';

/** A text as the stream in which n8n's request helper gives an answer. */
export function streamOf(text: string): Readable {
	return Readable.from([Buffer.from(text)]);
}
