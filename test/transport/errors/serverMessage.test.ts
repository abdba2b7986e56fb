import { expectCost } from '../../support/expectCost.cts';
import { redactor } from '../../../transport/errors/redaction';
import { quotation, serverMessage } from '../../../transport/errors/serverMessage';

const asIs = Object.assign((text: string) => text, { longest: 0 });

describe('serverMessage', () => {
	it.each([
		[{ detail: 'Invalid token.' }, 'Invalid token.'],
		[{ message: 'Nope', code: 7 }, 'Nope'],
		[{ error: 'Nope' }, 'Nope'],
		[{ error: { message: 'Inside', code: 'x' } }, 'Inside'],
		[{ error: 'invalid_client', error_description: 'Unknown client' }, 'Unknown client'],
		[{ title: 'Bad Request', status: 400 }, 'Bad Request'],
		[{ path: ['This field is required.', 'Really.'] }, 'path: This field is required. Really.'],
		[{ a: ['one'], b: ['two'], c: 3 }, 'a: one; b: two'],
		[{ detail: '', message: 'Second' }, 'Second'],
		[{ detail: [{ msg: 'field required', loc: ['body'] }] }, 'msg: field required; loc: body'],
		['A bare string', 'A bare string'],
		[['one', 'two'], 'one two'],
	])('reads %j', (body, words) => {
		expect(serverMessage(body)).toBe(words);
	});

	it.each([undefined, null, '', '  ', 7, true, {}, [], [[]], { detail: null }, { a: 1 }, [null]])(
		'finds none in %j',
		(body) => expect(serverMessage(body)).toBeUndefined(),
	);

	it('does not follow a hostile nesting', () => {
		let deep: unknown = 'bottom';
		for (let depth = 0; depth < 100_000; depth++) deep = depth % 2 ? { detail: deep } : [deep];
		expect(serverMessage(deep)).toBeUndefined();
	});

	it.each([
		['a level', () => ({ detail: Array.from({ length: 90_000 }, () => ({ x: 1 })) })],
		[
			'sentences in sentences',
			() => {
				const fields = Object.fromEntries(
					Array.from({ length: 250_000 }, (_, at) => [`a${at}`, '']),
				);
				return { message: { message: { message: fields } } };
			},
		],
	])('looks at no more than a few of many parts: %s', async (_, make) => {
		const body = make();
		await expectCost(1, () => expect(serverMessage(body)).toBeUndefined());
	});

	it('reads a megabyte at once', async () => {
		const detail = 'x'.repeat(1024 * 1024);
		await expectCost(0.1, () => expect(serverMessage({ detail })).toHaveLength(detail.length));
	});
});

describe('quotation', () => {
	it('is one line', () => {
		expect(quotation(' a\r\n\tb  c\n', asIs)).toBe('a b c');
	});

	it('holds no tag, which n8n would show as one, and no character that hides others', () => {
		const text = 'Sign in <a href="https://evil.example">here</a>\u001b[31m \u202egpj.exe';
		expect(quotation(text, asIs)).toBe(
			'Sign in ‹a href="https://evil.example"›here‹/a› [31m gpj.exe',
		);
	});

	it('is cut after 500 characters', () => {
		expect(quotation('x'.repeat(500), asIs)).toBe('x'.repeat(500));
		expect(quotation('x'.repeat(1024 * 1024), asIs)).toBe(`${'x'.repeat(500)}…`);
	});

	it('shows no half of a secret where it is cut', () => {
		const secret = 'TOP-SECRET-VALUE';
		const text = `${'x'.repeat(490)}${secret}`;
		expect(quotation(text, redactor([secret]))).not.toContain('TOP');
	});

	it('takes less than a second for 5 MB', async () => {
		const redact = redactor(['TOP-SECRET-VALUE']);
		for (const text of ['%25ab '.repeat(800_000), `"${'\\u0061'.repeat(800_000)}"`]) {
			await expectCost(1, () => expect(quotation(text, redact)).toHaveLength(501));
		}
	});

	it('takes less than a second for 100 long texts', async () => {
		const redact = redactor(['TOP-SECRET-VALUE', 'TOP-SECRET-VALUE'.repeat(4)]);
		const texts = ['%2525252541'.repeat(6000), '€'.repeat(21_000), '&amp;lt;'.repeat(8000)];
		await expectCost(1, () => {
			for (const text of texts) for (let item = 0; item < 33; item++) quotation(text, redact);
		});
	});

	it.each([
		[1, 2000],
		[100, 20_000],
	])(
		'shows nothing of a secret that stands at any place, however it is escaped (%i times as long)',
		(times, end) => {
			const secret = 'TOP-SECRET-VALUE'.repeat(times);
			const redact = redactor([secret]);
			const escapes = [
				(text: string) => text,
				(text: string) => [...text].map((one) => `\\u00${one.charCodeAt(0).toString(16)}`).join(''),
				(text: string) => [...text].map((one) => `%25${one.charCodeAt(0).toString(16)}`).join(''),
				(text: string) => [...text].map((one) => `&amp;amp;#${one.charCodeAt(0)};`).join(''),
			];
			for (const escaped of escapes.map((escape) => escape(secret))) {
				for (let at = 0; at < end; at += end / 16 + 3) {
					const quote = quotation('x'.repeat(at) + escaped.repeat(3), redact);
					expect(quote).not.toMatch(/TOP|%25|u00|#/);
				}
			}
		},
	);

	it('shows no half of a secret that stands where a long text is left off', () => {
		const secret = 'TOP-SECRET-VALUE';
		const redact = redactor([secret]);
		for (const filling of [' ', secret]) {
			const long = filling.repeat(5_000_000 / filling.length);
			for (let at = 0; at < secret.length; at++) {
				expect(quotation('x'.repeat(at) + long, redact)).not.toContain('TOP');
			}
			expect(quotation(`${' '.repeat(64 * 1024 - 8)}${secret}`, redact)).toBe('…');
		}
	});

	it('finds a secret with several spaces in it', () => {
		expect(quotation('You sent a  b  c.', redactor(['a  b  c']))).toBe('You sent [redacted].');
	});
});
