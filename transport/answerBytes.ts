import type { RequestEnd } from './requestEnd';

export interface AnswerStream extends AsyncIterable<Uint8Array> {
	destroy(error?: Error): unknown;
	on(event: 'error', listener: () => void): unknown;
	prependListener(event: 'error' | 'end', listener: () => void): unknown;
}

export interface Bounds {
	bytes: number;
	milliseconds: number;
}

/**
 * Of an answer that carries data: more than three times a page of 5,000 audit log entries. The time
 * counts from the head of the answer to its last byte.
 */
export const ANSWER_BOUNDS: Bounds = { bytes: 5 * 1024 * 1024, milliseconds: 120_000 };

/** Of an answer that refuses the call: its status says it all, its words are an extra. */
export const REFUSAL_BOUNDS: Bounds = { bytes: 64 * 1024, milliseconds: 10_000 };

/** So many pieces of an answer are joined: each takes memory of its own, and may be a single byte. */
const MOST_PIECES = 1000;

/** What came of reading an answer. The chunks are together no longer than the bound. */
type AnswerBytes =
	| { kind: 'read'; chunks: Uint8Array[]; length: number }
	| { kind: 'answerTooLarge' | 'answerTooSlow' | 'answerCut' };

/**
 * Reads an answer to its end, bounded in bytes and in time: n8n's helper itself reads without any
 * bound, so it is asked for the stream. The bytes are those after decompression.
 * @param end Gets the time of the bounds from now on. It also closes the socket, which destroying the
 * stream alone does not while the HTTP client waits for a byte.
 * @param isUpload Whether the connection is broken off where the answer ends, or proves to be damaged: the service may
 * never take the rest of the request, and how much it has taken is not known.
 */
export async function answerBytes(
	stream: AnswerStream,
	bounds: Bounds,
	end: RequestEnd,
	isUpload = false,
): Promise<AnswerBytes> {
	const chunks: Uint8Array[] = [];
	const pieces: Uint8Array[] = [];
	let length = 0;
	let hasEnded = false;
	const broken = (): AnswerBytes => {
		if (length > bounds.bytes) return { kind: 'answerTooLarge' };
		return { kind: end.isLate ? 'answerTooSlow' : 'answerCut' };
	};
	const whole = (): AnswerBytes => ({ kind: 'read', chunks: [...chunks, ...pieces], length });
	const read = async (): Promise<AnswerBytes> => {
		// Once the HTTP client's own listeners were called, nothing could close the socket any more.
		const breakOffUpload = () => isUpload && end.breakOff();
		stream.prependListener('error', breakOffUpload);
		stream.prependListener('end', () => {
			hasEnded = true;
			breakOffUpload();
		});
		for await (const chunk of stream) {
			length += chunk.byteLength;
			if (length > bounds.bytes) {
				end.breakOff();
				return broken();
			}
			pieces.push(chunk);
			if (pieces.length === MOST_PIECES) chunks.push(Buffer.concat(pieces.splice(0)));
		}
		return end.isLate ? broken() : whole();
	};
	return await new Promise((resolve) => {
		// The stream in an error that n8n throws does not end by being destroyed.
		const stop = () => {
			if (hasEnded) return;
			stream.destroy();
			resolve(broken());
		};
		if (end.signal.aborted) return stop();
		end.signal.addEventListener('abort', stop, { once: true });
		end.endIn(bounds.milliseconds);
		void read()
			.catch(() => (hasEnded ? whole() : broken()))
			.then(resolve)
			.finally(() => end.signal.removeEventListener('abort', stop));
	});
}
