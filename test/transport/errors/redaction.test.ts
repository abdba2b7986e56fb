import { redactor } from '../../../transport/errors/redaction';

const SECRET = 'p/s "1" ü&<é>+%';
const redact = redactor([SECRET]);

it.each([
	['as it is', SECRET],
	['in other letters', SECRET.toUpperCase()],
	['as JSON', JSON.stringify(SECRET)],
	['as JSON inside JSON', JSON.stringify(SECRET).replace(/\//g, '\\/')],
	['in an address', encodeURIComponent(SECRET)],
	['in an address, in small letters', encodeURIComponent(SECRET).toLowerCase()],
	['in a form', new URLSearchParams({ SECRET }).toString().slice('SECRET='.length)],
	['in a page', 'p/s &quot;1&quot; ü&amp;&lt;é&gt;+%'],
	['in base64', Buffer.from(SECRET).toString('base64')],
])('removes a secret spelled %s', (_, spelled) => {
	const shown = redact(`You sent ${spelled}, which is wrong.`);
	expect(shown).toMatch(/^You sent .{0,2}\[redacted\].{0,2}, which is wrong\.$/);
});

it('removes every occurrence, and the longest of overlapping secrets', () => {
	const both = redactor(['secret', 'secret-two']);
	expect(both('secret-two secret secret-twosecret')).toBe(
		'[redacted] [redacted] [redacted][redacted]',
	);
});

it('removes the parts of a header value', () => {
	const header = redactor(['Bearer abcdefgh', 'session=qwertzui; lang=en', 'ApiKey yxcvbnmasdf=']);
	expect(header('token abcdefgh, cookie qwertzui, key yxcvbnmasdf, lang en')).toBe(
		'token [redacted], cookie [redacted], key [redacted], lang en',
	);
});

it('removes a short value where it is a word of its own only', () => {
	expect(redactor(['1'])('1 of 12, "1", 11')).toBe('[redacted] of 12, "[redacted]", 11');
	expect(redactor(['abc'])('abcd abc')).toBe('abcd [redacted]');
});

it('removes what follows a scheme even if it is unknown', () => {
	const none = redactor([]);
	expect(none('Bearer eyJhbGciOiJIUzI1NiJ9.e30.abc is expired')).toBe(
		'Bearer [redacted] is expired',
	);
	expect(none('authorization=Basic%20c29tZXRoaW5nOjEyMzQ1Njc4')).toBe(
		'authorization=Basic%20[redacted]',
	);
});

it.each([
	'Basic authentication is required',
	'Invalid token header. No credentials provided.',
	'Token authentication-was-not-possible',
	'The bearer of this letter',
])('leaves words alone: %s', (words) => {
	expect(redactor([])(words)).toBe(words);
});

it('has nothing to do without secrets', () => {
	expect(redactor(['', '  '])('a b c')).toBe('a b c');
});

it('takes half a surrogate pair in a secret', () => {
	expect(redactor(['ab\ud800cd'])('x ab\ud800cd y')).toBe('x [redacted] y');
});

it('is quick with long texts and many secrets', () => {
	const secrets = Array.from(
		{ length: 20 },
		(_, i) => `aaaa ${'a'.repeat(i * 10)}${i}; b=cccccccc`,
	);
	const many = redactor(secrets);
	for (const text of ['a'.repeat(64_000), 'token '.repeat(10_000), 'token+'.repeat(10_000)]) {
		const begun = Date.now();
		many(text);
		expect(Date.now() - begun).toBeLessThan(1000);
	}
});
