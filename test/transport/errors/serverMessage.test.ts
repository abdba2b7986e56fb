import { redactor } from '../../../transport/errors/redaction';
import { quotation, serverMessage } from '../../../transport/errors/serverMessage';

const asIs = (text: string) => text;

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

	it('reads a megabyte at once', () => {
		const begun = Date.now();
		expect(serverMessage({ detail: 'x'.repeat(1024 * 1024) })).toHaveLength(1024 * 1024);
		expect(Date.now() - begun).toBeLessThan(100);
	});
});

describe('quotation', () => {
	it('is one line', () => {
		expect(quotation(' a\r\n\tb  c\n', asIs)).toBe('a b c');
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

	it('finds a secret with several spaces in it', () => {
		expect(quotation('You sent a  b  c.', redactor(['a  b  c']))).toBe('You sent [redacted].');
	});
});
