import * as fc from 'fast-check';
import { parseExactJson } from '../../transport/exactJson';

describe('an exact reading of JSON', () => {
	it.each([
		['{"scan_id": 9007199254740993}', { scan_id: '9007199254740993' }],
		[
			'[12345678901234567890, -12345678901234567890]',
			['12345678901234567890', '-12345678901234567890'],
		],
		['{"a": 9007199254740991}', { a: 9007199254740991 }],
		['{"a":1,"b":[ 9007199254740993]}', { a: 1, b: ['9007199254740993'] }],
	])('keeps the digits of integers that no number holds: %s', (text, value) => {
		expect(parseExactJson(text)).toStrictEqual(value);
	});

	it.each([
		'{"a": "9007199254740993"}',
		'{"a": "x \\" 9007199254740993"}',
		'{"a": "\\\\", "b": 0.12345678901234567890}',
		'{"9007199254740993": 1.5e300, "c": 1234567890123456789e5}',
	])('leaves strings, keys and fractions as they are: %s', (text) => {
		expect(parseExactJson(text)).toStrictEqual(JSON.parse(text));
	});

	/** A number that JSON writes in digits, and that is not the only one its digits could mean. */
	const asText = (_key: string, value: unknown) =>
		typeof value === 'number' && Math.abs(value) < 1e21 && Math.abs(value) > 2 ** 53 - 1
			? String(value)
			: value;

	it('reads everything else as JSON.parse does', () => {
		fc.assert(
			fc.property(fc.json(), (text) => {
				expect(parseExactJson(text)).toStrictEqual(JSON.parse(text, asText));
			}),
		);
	});

	it.each(['', '{', '9007199254740993 x', '<html>9007199254740993</html>', '"9007199254740993'])(
		'refuses what is not JSON: %s',
		(text) => {
			expect(() => parseExactJson(text)).toThrow(SyntaxError);
		},
	);

	it('reads a very long string of escapes', () => {
		const long = '\\"'.repeat(500_000);
		const text = `{"a":${JSON.stringify(long)},"b":12345678901234567890}`;
		expect(parseExactJson(text)).toStrictEqual({ a: long, b: '12345678901234567890' });
	});
});
