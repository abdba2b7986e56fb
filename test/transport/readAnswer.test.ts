import { sleep } from 'n8n-workflow';
import { macrotask } from '../support/macrotask.cts';
import { garbageCollector } from '../support/transport/memory.cts';
import type { RequestContext } from '../../transport/connection';
import { RequestEnd } from '../../transport/requestEnd';
import { readAnswer } from '../../transport/readAnswer';

function answerOf(...chunks: Array<string | Uint8Array>) {
	async function* content() {
		for (const chunk of chunks) {
			yield typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk;
		}
	}
	const body = Object.assign(content(), {
		destroy: () => undefined,
		on: () => undefined,
		prependListener: () => undefined,
	});
	return { statusCode: 200, headers: {}, body };
}

const OPTIONS = {
	url: 'https://console.example.com/x',
	milliseconds: 60_000,
	end: new RequestEnd({} as RequestContext, 60_000),
	tokens: [],
	call: {},
};

it.each([
	['an ordinary record', JSON.stringify({ id: 'x'.repeat(200), names: ['a'] }), 223],
	['a text that V8 hashes', JSON.stringify(['x'.repeat(13_106)]), 13_110],
	['one that it does not', JSON.stringify(['x'.repeat(13_107)]), 13_111 + 128 * 1024],
	['many values in few bytes', `[${'{},'.repeat(9)}{}]`, 40 * 40],
])('tells about what memory its values take: %s', async (_, text, bytes) => {
	expect(await readAnswer(answerOf(text), OPTIONS)).toMatchObject({ answer: { bytes } });
});

it('keeps no long answer once it was read', async () => {
	const readOnce = async () => {
		const read = await readAnswer(answerOf(JSON.stringify(['x'.repeat(100_000)])), OPTIONS);
		if (!read.ok) throw new Error('not read');
		return new WeakRef(read.answer.body as object);
	};
	const held = await readOnce();
	await macrotask();
	garbageCollector()();
	expect(held.deref()).toBeUndefined();
});

it('lets other work be done between long answers that come at once', async () => {
	const events: string[] = [];
	let going = true;
	const ticks = (async () => {
		while (going) {
			events.push('other work');
			await macrotask();
		}
	})();
	const text = JSON.stringify('x'.repeat(300_000));
	const reading = Array.from({ length: 10 }, async () => {
		const read = await readAnswer(answerOf(text), OPTIONS);
		events.push(read.ok ? 'read' : 'failed');
	});
	await Promise.all(reading);
	going = false;
	await ticks;
	expect(events.filter((event) => event === 'read')).toHaveLength(10);
	for (let at = 1; at < events.length; at++) {
		expect([events[at - 1], events[at]]).not.toStrictEqual(['read', 'read']);
	}
});

it('lets other work be done before what is made of a very long answer', async () => {
	const events: string[] = [];
	const parse = JSON.parse.bind(JSON);
	jest.spyOn(JSON, 'parse').mockImplementationOnce((text) => {
		// A timer like the one that pauses: under load, another kind of turn may come after it.
		void sleep(1).then(() => events.push('other work'));
		return parse(text) as unknown;
	});
	await readAnswer(answerOf(JSON.stringify('x'.repeat(1_100_000))), OPTIONS);
	events.push('what is made of it');
	expect(events).toStrictEqual(['other work', 'what is made of it']);
});

it('opens a page of an ordinary log without a pause', async () => {
	let isRead = false;
	const reading = readAnswer(answerOf(JSON.stringify('x'.repeat(300_000))), OPTIONS);
	void reading.then(() => (isRead = true));
	await macrotask();
	expect(isRead).toBe(true);
});

it('goes on after a long answer that is not JSON', async () => {
	const broken = `[${'0,'.repeat(200_000)}]`;
	const read = [broken, JSON.stringify('x'.repeat(300_000))].map(
		async (text) => await readAnswer(answerOf(text), OPTIONS),
	);
	expect(await Promise.all(read)).toMatchObject([
		{ ok: false, failure: { kind: 'notJson' } },
		{ ok: true },
	]);
});

it('puts the chunks of an answer together before it decodes them', async () => {
	const euro = new TextEncoder().encode('"€"');
	const read = await readAnswer(answerOf(euro.slice(0, 2), euro.slice(2)), OPTIONS);
	expect(read).toMatchObject({ answer: { body: '€' } });
});

it.each(['', ' \r\n ', '\ufeff', ' '.repeat(300_000)])(
	'takes blank text for no body',
	async (text) => {
		const read = await readAnswer(answerOf(text), OPTIONS);
		expect(read).toMatchObject({ ok: true, answer: { body: undefined } });
	},
);

it('takes a byte order mark', async () => {
	const read = await readAnswer(answerOf('\ufeff', '{"scan_id": 9007199254740993}'), OPTIONS);
	expect(read).toMatchObject({ answer: { body: { scan_id: '9007199254740993' } } });
});

it.each([
	{ statusCode: 200, length: '8', is: 'answerCut' },
	{ statusCode: 200, length: '0', is: 'empty' },
	{ statusCode: 204, length: '8', is: 'empty' },
])(
	'an answer of which nothing came, with status $statusCode and $length bytes announced: $is',
	async ({ statusCode, length, is }) => {
		const answer = { ...answerOf(), statusCode, headers: { 'Content-Length': length } };
		const read = await readAnswer(answer, OPTIONS);
		expect(read.ok ? 'empty' : read.failure.kind).toBe(is);
	},
);

it('does not open the answer that the caller knows, and opens any other', async () => {
	const first = await readAnswer(answerOf('{"items":[]}'), OPTIONS);
	const { digest: knownDigest } = (first as { answer: { digest?: string } }).answer;
	const options = { ...OPTIONS, call: { knownDigest } };
	expect(await readAnswer(answerOf('{"items":[]}'), options)).toMatchObject({
		answer: { body: undefined, digest: knownDigest },
	});
	expect(await readAnswer(answerOf('{"items":[1]}'), options)).toMatchObject({
		answer: { body: { items: [1] } },
	});
});

it.each([
	[200, 120_000],
	[400, 10_000],
])(
	'gives an answer with the status %i %i ms for its body, however much time there is',
	async (statusCode, milliseconds) => {
		const end = new RequestEnd({} as RequestContext, 3_600_000);
		const given = jest.spyOn(end, 'endIn');
		await readAnswer(
			{ ...answerOf('{}'), statusCode },
			{ ...OPTIONS, end, milliseconds: 3_600_000 },
		);
		expect(given.mock.calls).toEqual([[milliseconds]]);
	},
);
