import * as fc from 'fast-check';
import { expectCost } from '../../support/expectCost.cts';
import { propertyRuns } from '../../support/propertyRuns.cts';
import { redactor, redactorMaker } from '../../../transport/errors/redaction';

const SECRET = 'p/s "1" ü&<é>+%';
const redact = redactor([SECRET]);

function escaped(spell: (code: number) => string): string {
	return [...SECRET].map((character) => spell(character.codePointAt(0) ?? 0)).join('');
}

function asBytes(spell: (byte: string) => string): string {
	return [...Buffer.from(SECRET)].map((byte) => spell(byte.toString(16).padStart(2, '0'))).join('');
}

function hexOf(sign: string): string {
	return sign.charCodeAt(0).toString(16).padStart(2, '0');
}

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
	['in base64, one byte later', Buffer.from(`:${SECRET}`).toString('base64')],
	['in base64, two bytes later', Buffer.from(`id${SECRET}.`).toString('base64')],
	['in base64 for addresses', Buffer.from(`id${SECRET}`).toString('base64url')],
	['in hex', Buffer.from(SECRET).toString('hex').toUpperCase()],
	['twice in an address', encodeURIComponent(encodeURIComponent(SECRET))],
	['twice as JSON', JSON.stringify(JSON.stringify(SECRET))],
	['as JSON in an address', encodeURIComponent(JSON.stringify(SECRET))],
	['in ASCII', escaped((code) => `\\u${code.toString(16).padStart(4, '0')}`)],
	['in the bytes of Python', asBytes((byte) => `\\x${byte}`)],
	['in numbers of HTML', escaped((code) => `&#${code};`)],
	['in hex numbers of HTML', escaped((code) => `&#x${code.toString(16).toUpperCase()};`)],
	['in long numbers of HTML', escaped((code) => `&#${String(code).padStart(9, '0')};`)],
	['in numbers of HTML without an end', escaped((code) => `&#${code}`)],
	['in ISO-8859-1, in an address', SECRET.replace(/./g, (sign) => `%${hexOf(sign)}`)],
	['in ISO-8859-1, in base64', Buffer.from(`id${SECRET}`, 'latin1').toString('base64')],
	['in ISO-8859-1, in hex', Buffer.from(SECRET, 'latin1').toString('hex')],
	['in ISO-8859-1, read as UTF-8', Buffer.from(SECRET, 'latin1').toString()],
	['in ISO-8859-1, read as ASCII', SECRET.replace(/[^\0-\x7f]/g, '?')],
	['in names of HTML', 'p&sol;s &quot;1&quot; ü&amp;&lt;é&gt;&plus;&percnt;'],
	['in the bytes of an address', asBytes((byte) => `%${byte}`)],
])('removes a secret spelled %s', (_, spelled) => {
	const shown = redact(`You sent ${spelled}, which is wrong.`);
	expect(shown).toMatch(
		/^You sent [^\s\w]{0,4}(?:%22)?\[redacted\](?:%22)?[^\s\w]{0,4}, which is wrong\.$/,
	);
});

it('removes a secret whose bytes in ISO-8859-1 were taken for UTF-8, where two become one letter', () => {
	const secret = 'aé¼xyz-secret';
	const misread = Buffer.from(secret, 'latin1').toString();
	expect(misread).toHaveLength(secret.length - 1);
	expect(redactor([secret])(`You sent ${misread}.`)).toBe('You sent [redacted].');
});

it('removes the password of a Basic header, whichever way it was encoded', () => {
	for (const encoding of ['utf8', 'latin1'] as const) {
		const header = `Basic ${Buffer.from('ann:Pässwört99', encoding).toString('base64')}`;
		expect(redactor([header])('Wrong password Pässwört99.')).toBe('Wrong password [redacted].');
	}
});

it.each(['', 'x', 'api_token', 'x-oauth-basic'])(
	'removes an API key that is the user name of a Basic header with the password %j',
	(password) => {
		const header = `Basic ${Buffer.from(`ghp_4711abcd:${password}`).toString('base64')}`;
		expect(redactor([header])('ghp_4711abcd has no access')).toBe('[redacted] has no access');
	},
);

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

it('removes a part of a header value that is a pair, however short its halves', () => {
	for (const pair of ['abc123:xyz789', 'ab12=cd34=ef56', 'id="a1b2"']) {
		const header = redactor([`ApiKey ${pair}`]);
		expect(header(`API key ${pair} is not valid`)).toBe('API key [redacted] is not valid');
	}
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

it('takes secrets of any length and with any characters', () => {
	fc.assert(
		fc.property(fc.string({ unit: 'binary', minLength: 4 }), (secret) => {
			fc.pre(secret.trim().length >= 4);
			const shown = redactor([secret])(`x ${secret.trim()} y`);
			expect(shown).toBe('x [redacted] y');
		}),
	);
	for (const length of [24_000, 24_001, 100_000]) {
		const secret = 'k(*/'.repeat(length / 4);
		expect(redactor([secret])(`x ${secret} y`)).toBe('x [redacted] y');
	}
	const tooLong = 'k(*/'.repeat(25_001);
	expect(redactor([tooLong])(`x ${tooLong} y`)).toBe('…');
});

it.each(['abc%41def%2', 'x\\\\u0041\\\\n-y', 'q&amp;lt;r%2541s'])(
	'removes a secret that looks escaped itself, however it is spelled: %s',
	(secret) => {
		for (const spelled of [
			secret,
			encodeURIComponent(secret),
			JSON.stringify(secret).slice(1, -1),
			`${secret}`.replace(/[&%]/g, (sign) => `&#${sign.charCodeAt(0)};`),
		]) {
			expect(redactor([secret])(`x ${spelled} y &lt; %20`)).toBe('x [redacted] y &lt; %20');
		}
	},
);

it.each(['geheimÄpfel99', 'ΩMEGA-4711', 'ÉTÉ-passe'])(
	'removes %s, a secret with capitals of any alphabet, in the escapes of addresses',
	(secret) => {
		const once = encodeURIComponent(secret);
		const bytes = [...Buffer.from(secret)];
		const hex = bytes.map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
		for (const spelled of [once, encodeURIComponent(once), hex]) {
			expect(redactor([secret])(`x ${spelled} y`)).toBe('x [redacted] y');
		}
	},
);

it('removes the parts of a header that names them, and what Basic holds', () => {
	const parts = redactor(['Digest key="s3cr3t-one", id:s3cr3t-two']);
	expect(parts('s3cr3t-one s3cr3t-two')).toBe('[redacted] [redacted]');
	const basic = redactor([`Basic ${Buffer.from('id:pass-4711').toString('base64')}`]);
	expect(basic('the password pass-4711 of id is wrong')).toBe(
		'the password [redacted] of id is wrong',
	);
});

it('removes a password with letters beyond ASCII that Basic holds', () => {
	const basic = redactor([`Basic ${Buffer.from('id:päss-4711').toString('base64')}`]);
	expect(basic('not päss-4711')).toBe('not [redacted]');
});

it('leaves what is like a secret but is none', () => {
	const text = '100 % of C:\\users\\new &c; \\u00 &#99999999; %zz';
	expect(redactor(['other-secret'])(text)).toBe(text);
});

it.each(['hex', 'base64'] as const)(
	'is quick with a text that is made of the secret in %s',
	async (encoding) => {
		const text = Buffer.from('12345678').toString(encoding).repeat(8000).slice(0, 64_000);
		const redact = redactor(['12345678']);
		await expectCost(2, () => expect(redact(`%252541${text}`)).toBe('[redacted]'));
	},
);

it('is quick with long texts and many secrets', async () => {
	const secrets = Array.from(
		{ length: 20 },
		(_, i) => `aaaa ${'a'.repeat(i * 10)}${i}; b=cccccccc`,
	);
	const many = redactor(secrets);
	for (const text of [
		'%25'.repeat(21_000),
		'\\u0061'.repeat(10_000),
		'a'.repeat(64_000),
		'token '.repeat(10_000),
		'token+'.repeat(10_000),
	]) {
		await expectCost(1, () => many(text));
	}
});

/** So many cookies of so many parts each. */
function cookies(count: number, parts: number, letter = 'x'): string[] {
	const partOf = (cookie: number, part: number) => `n${cookie}_${part}=${letter.repeat(8)}${part}`;
	return Array.from({ length: count }, (_, cookie) =>
		Array.from({ length: parts }, (__, part) => partOf(cookie, part)).join('; '),
	);
}

it.each<[string, string[]]>([
	['words', Array.from({ length: 5000 }, (_, index) => `secret-${index}`)],
	['cookies of many parts', cookies(24, 150)],
	['letters beyond ASCII', cookies(20, 150, 'é')],
])(
	'shows nothing where the secrets are too many, as to search for them takes too long: %s',
	async (_, secrets) => {
		const text = `${'not-a-secret '.repeat(4800)}${'%25252541'.repeat(200)}`;
		const fewer = redactorMaker()(secrets.slice(0, secrets.length / 20));
		await expectCost(2, () =>
			expect(fewer(`${text} ${secrets[0]}`).includes('[redacted]')).toBe(true),
		);
		const tooMany = redactorMaker()(secrets);
		await expectCost(0.1, () => expect(tooMany(text).slice(0, 9)).toBe('…'));
	},
);

it.each([
	['one run', ''],
	['words', ' '],
])('takes no long time for the encodings of sixty cookies in 64 KB of %s', async (_, between) => {
	const values = Array.from({ length: 60 }, (_, n) => `cookie${n}=${'abcdefgh'.repeat(2)}${n}`);
	const redact = redactor([values.join('; ')]);
	const encoded = values.map((value) => Buffer.from(value).toString('hex')).join(between);
	const text = `%41%2541%252541${`${encoded}${between}`.repeat(20)}`.padEnd(65_536, 'A');
	await expectCost(1, () => expect(redact(text.slice(0, 65_536))).not.toContain(encoded));
});

/** Pieces of base64, as what they may have been a part of. */
function readAtAnyPlace(pieces: string[]): string {
	return pieces
		.flatMap((piece) =>
			['', 'A', 'AA', 'AAA'].map((before) => Buffer.from(before + piece, 'base64')),
		)
		.map((bytes) => bytes.toString('latin1'))
		.join(' ');
}

it('leaves nothing of several secrets in one text of base64, whose "+" and "-" divide it', () => {
	const secret = fc.string({
		unit: fc.constantFrom(...'abcXYZ0189~>?_'),
		minLength: 12,
		maxLength: 40,
	});
	fc.assert(
		fc.property(
			fc.array(secret, { minLength: 2, maxLength: 4 }),
			fc.nat({ max: 2 }),
			fc.constantFrom('base64' as const, 'base64url' as const),
			(secrets, before, encoding) => {
				const text = Buffer.from(`${'x'.repeat(before)}${JSON.stringify(secrets)}`);
				const shown = redactor(secrets)(`echo ${text.toString(encoding)} end`);
				const left = readAtAnyPlace(shown.split(/\[redacted\]|[ +-]/));
				for (const one of secrets) {
					for (let at = 0; at + 6 <= one.length; at++) {
						expect(left).not.toContain(one.slice(at, at + 6));
					}
				}
			},
		),
		propertyRuns(300),
	);
});

test('what is kept of the last secrets is not used for others', () => {
	const redactorOf = redactorMaker();
	for (const secret of ['password-of-item-1', 'password-of-item-2', 'password-of-item-1']) {
		expect(redactorOf([secret])(`You sent ${secret}.`)).toBe('You sent [redacted].');
	}
});
