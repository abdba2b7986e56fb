import { expectCost } from '../support/expectCost.cts';
import { setUp } from './support/fakeConnection';

it('cuts secrets out of what an answer lacks, for who quotes the answer there', async () => {
	const { service } = setUp(() => ({}), { secrets: ['pass word 1'] });
	const what = "'next' is pass%2520word%25201";
	const error = await service.wrongShape({ purpose: 'read the log', idempotent: true }, what);
	expect(error.message).toContain("'next' is [redacted] in the answer");
});

describe('what the service echoes', () => {
	it('of the item is in none of its errors', async () => {
		const { settled } = setUp(() => ({ status: 400, body: { detail: 'no pass%20word%201 here' } }));
		const outcome = await settled({}, { secrets: ['pass word 1'] });
		expect(outcome).toMatchObject({
			error: { description: expect.stringContaining('"no [redacted] here"') },
		});
	});

	it.each(['Bearer abcdefghij0123456789!rest', 'my TOP-SECRET-1 and more'])(
		'of the item is in none of its errors, where another secret is a part of it: %s',
		async (secret) => {
			const { settled } = setUp(() => ({ status: 400, body: { detail: `no '${secret}' here` } }));
			const description = expect.stringContaining(`"no '[redacted]' here"`);
			expect(await settled({}, { secrets: [secret] })).toMatchObject({ error: { description } });
		},
	);

	it.each([
		['the same', () => 'pass word 1', '"no [redacted] here"'],
		['many short ones', (item: number) => `pass word ${item}`, '"no [redacted] here"'],
		['many long ones', (item: number) => `pass word ${item}`.padEnd(900, 'x'), '"…"'],
	])('of one of 1,200 items is in no error, at no cost: %s', async (_, secretOf, quoted) => {
		const secrets = Array.from({ length: 1200 }, (_, item) => secretOf(item));
		const detail = `no ${secrets[1]} here`;
		await expectCost(1, async () => {
			const { settled } = setUp(() => ({ status: 400, body: { detail } }));
			const error = {
				message: expect.stringContaining('(400)'),
				description: expect.stringContaining(quoted),
			};
			expect(await settled({}, { secrets })).toMatchObject({ error });
		});
	});

	it.each([
		['nothing', '', 0.3],
		['a sentence', { detail: 'not here' }, 6],
	])(
		'in call after call costs little, though many items have secrets: %s',
		async (_, body, most) => {
			const secrets = Array.from({ length: 200 }, (_, item) => `secret ${item} `.padEnd(490, 'x'));
			const { settled } = setUp(() => ({ status: 404, body }));
			await expectCost(most, async () => {
				for (let call = 0; call < 20; call++) {
					expect(await settled({}, { secrets })).toHaveProperty('error');
				}
			});
		},
	);

	const TOKEN = 'TOP-SECRET-1';

	it.each([
		['a text', { detail: `Hello ${TOKEN}!` }, { detail: 'Hello [redacted]!' }],
		['a key', { [`x${TOKEN}`]: [1] }, { 'x[redacted]': [1] }],
		['a list', { items: [{ a: { b: [TOKEN] } }] }, { items: [{ a: { b: ['[redacted]'] } }] }],
	])('of the token is in no answer: %s', async (_, body, shown) => {
		for (const text of [JSON.stringify(body), JSON.stringify(body).replace(/T/g, '\\u0054')]) {
			const { settled } = setUp(() => ({ body: text }), { tokens: [TOKEN] });
			expect(await settled()).toStrictEqual({ body: shown });
		}
	});

	it.each([
		['begins with', 'abcdefgh', 'abcdefgh.ijklmnop'],
		['ends with', 'ijklmnop', 'abcdefgh.ijklmnop'],
		['overlaps', 'abcdefgh.ijkl', 'efgh.ijklmnop'],
	])('of a token that %s another leaves nothing of either', async (_, one, other) => {
		for (const tokens of [
			[one, other],
			[other, one],
		]) {
			const { settled } = setUp(() => ({ body: ['key=abcdefgh.ijklmnop', one, other] }), {
				tokens,
			});
			expect(await settled()).toStrictEqual({
				body: ['key=[redacted]', '[redacted]', '[redacted]'],
			});
		}
	});

	it('of the token in what leads to the next page stays, as the service wants it back', async () => {
		const body = { items: [{ a: TOKEN }], nextPageToken: `${TOKEN}/1`, more: TOKEN };
		const { settled } = setUp(() => ({ body }), { tokens: [TOKEN] });
		const call = { nextPageField: 'nextPageToken' };
		const shown = { items: [{ a: '[redacted]' }], nextPageToken: `${TOKEN}/1`, more: '[redacted]' };
		expect(await settled(call)).toStrictEqual({ body: shown });
	});

	it('of the token in a field of that name is in no answer to a call for no page', async () => {
		const { settled } = setUp(() => ({ body: { nextPageToken: TOKEN } }), { tokens: [TOKEN] });
		expect(await settled()).toStrictEqual({ body: { nextPageToken: '[redacted]' } });
	});

	it('of a token with a quote in it is in no answer', async () => {
		const { settled } = setUp(() => ({ body: '{"is":"TOP-\\"SECRET\\""}' }), {
			tokens: ['TOP-"SECRET"'],
		});
		expect(await settled()).toStrictEqual({ body: { is: '[redacted]' } });
	});

	it('of a token with a quote is in no answer, also nested so deep that it is passed on as text', async () => {
		const deep = `${'['.repeat(120)}${JSON.stringify('TOP-"SECRET"')}${']'.repeat(120)}`;
		const { settled } = setUp(() => ({ body: `{"is":${deep}}` }), { tokens: ['TOP-"SECRET"'] });
		expect(JSON.stringify(await settled())).not.toContain('SECRET');
	});

	it('of a token with a slash in it is in no answer', async () => {
		const { settled } = setUp(() => ({ body: '{"is":"TOP\\/SECRET"}' }), {
			tokens: ['TOP/SECRET'],
		});
		expect(await settled()).toStrictEqual({ body: { is: '[redacted]' } });
	});

	it('of a token of digits alone is in no answer, as a number either', async () => {
		const body =
			'{"is":12345678,"in":"a 12345678","not":[123456789],"also":[1.2345678e7,-12345678]}';
		const { settled } = setUp(() => ({ body }), { tokens: ['12345678'] });
		const shown = {
			is: '[redacted]',
			in: 'a [redacted]',
			not: [123456789],
			also: ['[redacted]', '[redacted]'],
		};
		expect(await settled()).toStrictEqual({ body: shown });
	});

	it('of a token that is a negative number is in no answer', async () => {
		const { settled } = setUp(() => ({ body: '{"is":-1234567890}' }), { tokens: ['-1234567890'] });
		expect(await settled()).toStrictEqual({ body: { is: '[redacted]' } });
	});

	it('of the token is cut out below any key', async () => {
		const text = `{"__proto__":"${TOKEN}","constructor":{"__proto__":["${TOKEN}"]}}`;
		const { settled } = setUp(() => ({ body: text }), { tokens: [TOKEN] });
		const { body } = (await settled()) as { body: unknown };
		expect(JSON.stringify(body)).toBe(text.replaceAll(TOKEN, '[redacted]'));
	});

	it('of values that are no tokens stays, as entries are passed on as sent', async () => {
		const body = { tenant: TOKEN, short: 'abc' };
		const { settled } = setUp(() => ({ body: JSON.stringify(body) }), { tokens: ['abc'] });
		expect(await settled()).toStrictEqual({ body: { tenant: TOKEN, short: 'abc' } });
	});
});
