/** What n8n's helper gives as the body when asked for a stream. */
export interface AnswerStream extends AsyncIterable<Uint8Array> {
	destroy(error?: Error): unknown;
}

/** Longest answer that is read, in bytes. A page of 10,000 audit log entries has a few megabytes. */
export const LONGEST_ANSWER = 32 * 1024 * 1024;

/** Longest time from the head of an answer to its last byte, in milliseconds. */
export const LONGEST_READING_MS = 120_000;

export type AnswerText =
	| { kind: 'text'; text: string }
	| { kind: 'answerTooLarge' | 'answerTooSlow' | 'answerCut' };

/**
 * Reads an answer to its end, bounded in bytes and in time: n8n's helper itself reads without any
 * bound, so it is asked for the stream.
 * @param milliseconds Time left for reading.
 */
export async function answerText(stream: AnswerStream, milliseconds: number): Promise<AnswerText> {
	const chunks: Uint8Array[] = [];
	let length = 0;
	const timeLimit = AbortSignal.timeout(Math.max(1, Math.min(milliseconds, LONGEST_READING_MS)));
	const stop = () => stream.destroy();
	timeLimit.addEventListener('abort', stop, { once: true });
	try {
		for await (const chunk of stream) {
			length += chunk.byteLength;
			if (length > LONGEST_ANSWER) return { kind: 'answerTooLarge' };
			chunks.push(chunk);
		}
	} catch {
		return { kind: timeLimit.aborted ? 'answerTooSlow' : 'answerCut' };
	} finally {
		timeLimit.removeEventListener('abort', stop);
	}
	if (timeLimit.aborted) return { kind: 'answerTooSlow' };
	return { kind: 'text', text: Buffer.concat(chunks, length).toString('utf8') };
}
