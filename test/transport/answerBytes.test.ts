import type { AnswerStream, Bounds } from '../../transport/answerBytes';
import { answerBytes } from '../../transport/answerBytes';
import type { RequestContext } from '../../transport/connection';
import { RequestEnd } from '../../transport/requestEnd';

const bytes = (text: string) => new TextEncoder().encode(text);

/** A stream of the given chunks that notes whether it was left before its end. */
function streamOf(chunks: Iterable<Uint8Array | Error>) {
	const seen = { read: 0, left: false, destroyed: false };
	async function* run(): AsyncGenerator<Uint8Array> {
		let ended = false;
		try {
			for (const chunk of chunks) {
				if (chunk instanceof Error) throw chunk;
				seen.read += chunk.byteLength;
				yield chunk;
			}
			ended = true;
		} finally {
			seen.left = !ended;
		}
	}
	const stream: AnswerStream = Object.assign(run(), {
		destroy: () => (seen.destroyed = true),
		on: () => undefined,
		prependListener: () => undefined,
	});
	return { stream, seen };
}

/** A stream that gives nothing and never ends, unless it is destroyed. */
function silentStream(error?: Error) {
	const seen = { destroyed: false };
	const stream = {
		destroy() {
			seen.destroyed = true;
			this.wake?.();
		},
		on: () => undefined,
		prependListener: () => undefined,
		wake: undefined as (() => void) | undefined,
		[Symbol.asyncIterator]() {
			return {
				next: async () =>
					await new Promise<IteratorResult<Uint8Array>>((resolve, reject) => {
						this.wake = () => (error ? reject(error) : resolve({ done: true, value: undefined }));
					}),
			};
		},
	};
	return { stream: stream as AnswerStream, seen };
}

let end: RequestEnd;

beforeEach(() => (end = new RequestEnd({} as RequestContext, 60_000)));

afterEach(() => end.release());

const BOUNDS: Bounds = { bytes: 10, milliseconds: 60_000 };

it('gives the chunks as they came', async () => {
	const chunks = [bytes('12'), bytes('345')];
	const read = await answerBytes(streamOf(chunks).stream, BOUNDS, end);
	expect(read).toStrictEqual({ kind: 'read', chunks, length: 5 });
});

it('joins the pieces of one that comes byte by byte', async () => {
	const pieces = Array.from({ length: 12_345 }, (_, at) => bytes(String(at % 10)));
	const bounds = { ...BOUNDS, bytes: 20_000 };
	const read = await answerBytes(streamOf(pieces).stream, bounds, end);
	const { chunks } = read as { chunks: Uint8Array[] };
	expect(chunks.length).toBeLessThan(1100);
	expect(Buffer.concat(chunks)).toStrictEqual(Buffer.concat(pieces));
});

it('gives none for an empty answer', async () => {
	const read = await answerBytes(streamOf([]).stream, BOUNDS, end);
	expect(read).toStrictEqual({ kind: 'read', chunks: [], length: 0 });
});

it('reads exactly as much as it may', async () => {
	const { stream } = streamOf([bytes('12345'), bytes('67890')]);
	expect(await answerBytes(stream, BOUNDS, end)).toMatchObject({ kind: 'read', length: 10 });
});

it('stops an endless answer at the bound, and closes it', async () => {
	function* endless() {
		for (;;) yield bytes('1234');
	}
	const { stream, seen } = streamOf(endless());
	expect(await answerBytes(stream, BOUNDS, end)).toStrictEqual({ kind: 'answerTooLarge' });
	expect(seen).toMatchObject({ read: 12, left: true });
	expect(end.signal.aborted).toBe(true);
});

it('says that an answer was cut', async () => {
	const { stream } = streamOf([bytes('123'), new Error('aborted')]);
	expect(await answerBytes(stream, BOUNDS, end)).toStrictEqual({ kind: 'answerCut' });
});

it.each([undefined, new Error('premature close')])(
	'breaks off an answer that does not end in time (%s)',
	async (error) => {
		const { stream, seen } = silentStream(error);
		const read = await answerBytes(stream, { bytes: 10, milliseconds: 1 }, end);
		expect(read).toStrictEqual({ kind: 'answerTooSlow' });
		expect(seen.destroyed).toBe(true);
		expect(end.signal.aborted).toBe(true);
	},
);

it('ends in time where destroying the stream does not end it', async () => {
	const stream = Object.assign(
		{ [Symbol.asyncIterator]: () => ({ next: async () => await new Promise<never>(() => {}) }) },
		{ destroy: () => undefined, on: () => undefined, prependListener: () => undefined },
	);
	const read = await answerBytes(stream, { bytes: 10, milliseconds: 1 }, end);
	expect(read).toStrictEqual({ kind: 'answerTooSlow' });
	expect(await answerBytes(stream, BOUNDS, end)).toStrictEqual({ kind: 'answerTooSlow' });
	const canceled = new RequestEnd({} as RequestContext, 60_000);
	const cut = answerBytes(stream, BOUNDS, canceled);
	canceled.breakOff();
	expect(await cut).toStrictEqual({ kind: 'answerCut' });
	canceled.release();
});

it.each([0, -5, 0.5])('has a limit also with %d ms left', async (milliseconds) => {
	const { stream } = silentStream();
	expect(await answerBytes(stream, { bytes: 10, milliseconds }, end)).toStrictEqual({
		kind: 'answerTooSlow',
	});
});

it.each([undefined, null, 7])('takes %j for a cut answer', async (stream) => {
	const read = await answerBytes(stream as unknown as AnswerStream, BOUNDS, end);
	expect(read).toStrictEqual({ kind: 'answerCut' });
});
