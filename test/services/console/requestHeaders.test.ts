import { requestHeaders } from '../../../services/console/requestHeaders';

const rows = (...pairs: Array<[unknown, unknown]>) => ({
	values: pairs.map(([name, value]) => ({ name, value })),
});

it('gives the headers as they were entered, without surrounding spaces', () => {
	expect(requestHeaders(rows([' X-Key ', ' one two\t']))).toStrictEqual({ 'X-Key': 'one two' });
	expect(requestHeaders(rows(['a', '1'], ['B', 'é']))).toStrictEqual({ a: '1', B: 'é' });
});

it('takes a number for its text', () => {
	expect(requestHeaders(rows(['x', 7]))).toStrictEqual({ x: '7' });
});

it.each(['__proto__', 'constructor', 'Prototype', 'Get', 'delete'])(
	'refuses a header that would not be sent, since its name means something to JavaScript: %s',
	(name) => {
		expect(() => requestHeaders(rows(['a', '1'], [name, 'x']))).toThrow(
			`Header 2 of the credential is named "${name}", which n8n cannot send`,
		);
	},
);

it.each([
	undefined,
	null,
	'',
	'text',
	7,
	[],
	{},
	{ values: null },
	{ values: undefined },
	{ values: 'x' },
	{ values: {} },
	{ values: [] },
])('says that there are none: %j', (headers) => {
	expect(() => requestHeaders(headers)).toThrow('The credential holds no headers');
});

it.each([[[null]], [[undefined]], [['text']], [[7]], [[[]]], [[{}]], [[{ value: 'x' }]]])(
	'finds no name in the rows %j',
	(values) =>
		expect(() => requestHeaders({ values })).toThrow('Header 1 of the credential has no name'),
);

it.each([
	'two words',
	'X-Key:',
	':authority',
	'X\r\nEvil',
	'X\nEvil',
	'X-Ключ',
	'X\u0000',
	'"quoted"',
	'a/b',
	'[object Object]',
])('refuses the name %j', (name) => {
	expect(() => requestHeaders(rows([name, 'x']))).toThrow('forbidden character');
});

it.each([
	'Host',
	'host',
	'accept-encoding',
	'Content-Length',
	'Transfer-Encoding',
	'Connection',
	'Keep-Alive',
	'Upgrade',
	'Expect',
	'TE',
	'Trailer',
	'Proxy-Authorization',
])('leaves %s to the connection', (name) => {
	expect(() => requestHeaders(rows([name, 'x']))).toThrow('n8n sets itself');
});

it.each(['If-None-Match', 'if-modified-since', 'Range'])(
	'refuses %s, which is copied from a browser',
	(name) => {
		expect(() => requestHeaders(rows(['X-Key', 'a'], [name, 'x']))).toThrow(
			`Header 2 of the credential is named "${name}", with which the console may leave entries out`,
		);
	},
);

it.each(['X-Key', 'x-key', 'X-KEY'])('refuses %s as a second row of the same name', (name) => {
	expect(() => requestHeaders(rows(['X-Key', 'a'], ['y', 'b'], [name, 'c']))).toThrow(
		`Header 3 of the credential is named "${name}", like an earlier one`,
	);
});

it.each(['', '   ', null, undefined])('refuses the empty value %j', (value) => {
	expect(() => requestHeaders(rows(['x', value]))).toThrow(
		'Header 1 of the credential has no value',
	);
});

it.each(['a\r\nEvil: 1', 'a\nb', 'a\rb', 'a\u0000b', 'a\u007fb', 'Ключ', '😀', 'a\u2028b'])(
	'refuses the value %j, and does not repeat it',
	(value) => {
		const attempt = () => requestHeaders(rows(['ok', 'fine'], ['x', value]));
		expect(attempt).toThrow('Header 2 of the credential has a value with a line break');
		expect(attempt).toThrow(
			expect.objectContaining({
				message: expect.not.stringContaining(value),
				description: expect.not.stringContaining(value),
			}),
		);
	},
);
