import * as fc from 'fast-check';
import { expectCost } from '../support/expectCost.cts';
import { memoryHeldDuring } from '../support/transport/memory.cts';
import { DEEPEST_LEVEL, MOST_VALUES, parseExactJson } from '../../transport/exactJson';

const parse = (text: string) => parseExactJson(Buffer.from(text));

function valueOf(text: string): unknown {
	const parsed = parse(text);
	return typeof parsed === 'object' ? parsed.value : parsed;
}

describe('an exact reading of JSON', () => {
	it.each([
		['{"scan_id": 9007199254740993}', { scan_id: '9007199254740993' }],
		[
			'[12345678901234567890, -12345678901234567890]',
			['12345678901234567890', '-12345678901234567890'],
		],
		['{"a": 9007199254740991}', { a: 9007199254740991 }],
		['[20261128120812000, -9007199254740992]', ['20261128120812000', '-9007199254740992']],
		['{"a":1,"b":[ 9007199254740993]}', { a: 1, b: ['9007199254740993'] }],
		['[9007199254740992.0,9007199254740993.0]', ['9007199254740992.0', '9007199254740993.0']],
		['[9.007199254740993e15, 1e400 , -1E999]', ['9.007199254740993e15', '1e400', '-1E999']],
		['{"c": 1234567890123456789e5}', { c: '1234567890123456789e5' }],
	])('keeps the digits of numbers that no number holds: %s', (text, value) => {
		expect(valueOf(text)).toStrictEqual(value);
	});

	it.each([
		'{"a": "9007199254740993"}',
		'{"a": "x \\" 9007199254740993"}',
		'{"a": "\\\\", "b": 0.12345678901234567890}',
		'{"9007199254740993": 1.5e300, "c": 1e21, "d": 1.23456789012345e19, "e": -0}',
	])('leaves strings, keys and fractions as they are: %s', (text) => {
		expect(valueOf(text)).toStrictEqual(JSON.parse(text));
	});

	/** An integer that is not the only one its digits could mean, as JSON.stringify writes it. */
	const asText = (_key: string, value: unknown) => {
		if (typeof value !== 'number') return value;
		const isLarge = Number.isInteger(value) && !Number.isSafeInteger(value);
		const written = String(value);
		const isLong = !written.includes('e') || written.replace(/e.*|\D/g, '').length > 15;
		return isLarge && isLong ? written : value;
	};

	it('reads everything else as JSON.parse does', () => {
		fc.assert(
			fc.property(fc.json(), (text) => {
				expect(valueOf(text)).toStrictEqual(JSON.parse(text, asText));
			}),
		);
	});

	it.each([
		'',
		'{',
		'{9007199254740993:1}',
		'[09007199254740993]',
		'[1e400x]',
		`${'['.repeat(101)}x${']'.repeat(101)}`,
		'9007199254740993 x',
		'<html>9007199254740993</html>',
		'"9007199254740993',
	])('refuses what is not JSON: %s', (text) => {
		expect(() => parse(text)).toThrow(SyntaxError);
	});

	it('reads a very long string of escapes', () => {
		const long = '\\"'.repeat(500_000);
		const text = `{"a":${JSON.stringify(long)},"b":12345678901234567890}`;
		expect(valueOf(text)).toStrictEqual({ a: long, b: '12345678901234567890' });
	});
});

function list(length: number, value: (index: number) => string): string {
	return `[${Array.from({ length }, (_, index) => value(index)).join()}]`;
}

function nestedKeys(index: number): string {
	const levels = Array.from({ length: 90 }, (_, level) => `{"k${index}_${level}":`);
	return `${levels.join('')}0${'}'.repeat(90)}`;
}

describe('what an answer may cost', () => {
	const nested = (levels: number) => '[{"a":'.repeat(levels / 2) + '1' + '}]'.repeat(levels / 2);

	it('opens 100 levels', () => {
		const text = nested(DEEPEST_LEVEL);
		expect(valueOf(text)).toStrictEqual(JSON.parse(text));
	});

	it.each([4_000, 1_000_000])('passes on as text what is nested deeper, of %d levels', (levels) => {
		const deep = nested(levels);
		let value = valueOf(`{"items":[{"auditlogId":"a","x":${deep}},{"auditlogId":"b"}]}`);
		if (levels > MOST_VALUES / 4) {
			expect(value).toBe('tooManyValues');
			return;
		}
		expect(value).toMatchObject({ items: [{ auditlogId: 'a' }, { auditlogId: 'b' }] });
		value = (value as { items: Array<{ x: unknown }> }).items[0].x;
		let opened = 3;
		for (; typeof value === 'object'; opened++) {
			value = Array.isArray(value) ? value[0] : (value as { a: unknown }).a;
		}
		expect(opened).toBe(DEEPEST_LEVEL);
		expect(deep).toContain(value);
		expect(JSON.parse(value as string)).toBeTruthy();
	});

	it('opens long numbers, as a real page may have', () => {
		const items = Array.from({ length: 50_000 }, (_, at) => 52.520_008_123_456_7 + at / 1e6);
		expect(valueOf(JSON.stringify(items))).toStrictEqual(items);
	});

	it('counts an integer of up to 16 characters once', () => {
		const text = `[${'-900719925474099,'.repeat(MOST_VALUES - 2)}0]`;
		expect(parse(text)).toMatchObject({ values: MOST_VALUES - 1 });
	});

	it('reads a real page of 5,000 entries, and would read two of them', () => {
		const entry = (id: number) => ({
			auditlogId: `a${id}`,
			createdAt: '2026-06-15T12:00:00.000Z',
			actor: { email: `user${id}@example.com`, roles: ['Owner', 'Reader'], ip: '192.0.2.1' },
			...Object.fromEntries([...'abcdefghijklmnop'].map((key) => [key, `value ${key}`])),
		});
		const items = Array.from({ length: 10_000 }, (_, id) => entry(id));
		expect(valueOf(JSON.stringify({ items }))).toStrictEqual({ items });
	});

	it.each([
		[9, 13_107, true],
		[10, 13_107, false],
		[200, 13_106, true],
	])('opens %d names of %d characters: %s', (count, length, isOpened) => {
		const names = Array.from({ length: count }, (_, at) => String(at).padStart(length, 'n'));
		const texts = names.map((name) => ({ text: name, [name]: 1 }));
		expect(typeof parse(JSON.stringify(texts, null, 1)) === 'object').toBe(isOpened);
	});

	it.each([
		['texts', JSON.stringify([13_106, 13_107, 20_000].map((length) => 'x'.repeat(length))), 2],
		['names', JSON.stringify({ ['x'.repeat(13_107)]: 'y' }), 0],
		['levels that are kept as text', nested(8000), 1],
		['a number that is kept as text', `[${'9'.repeat(20_000)}]`, 1],
	])('counts long texts: %s', (_, text, longTexts) => {
		expect(parse(text)).toMatchObject({ longTexts });
	});

	it.each([
		['objects', `[${'{},'.repeat(MOST_VALUES)}{}]`],
		['lists', `[${'[],'.repeat(MOST_VALUES)}[]]`],
		['numbers', `[${'0,'.repeat(MOST_VALUES)}0]`],
		['long numbers', `[${'1.320079033224702e-284,'.repeat(MOST_VALUES / 4)}0]`],
		['short numbers', `[${'5.95e-284,'.repeat(MOST_VALUES / 4)}0]`],
		['decimals', `[${'0.13647997043,'.repeat(MOST_VALUES / 4)}0]`],
		['levels', '['.repeat(MOST_VALUES + 1)],
		['what is no JSON', ','.repeat(MOST_VALUES + 1)],
	])('does not parse more than it may hold: %s', (_, text) => {
		const jsonParse = jest.spyOn(JSON, 'parse');
		expect(parse(text)).toBe('tooManyValues');
		expect(jsonParse).not.toHaveBeenCalled();
		jsonParse.mockRestore();
	});

	it.each([
		['long integers', `[${'9007199254740993,'.repeat(100_000)}0]`],
		['long numbers', `[1${'0'.repeat(500_000)}1,0.${'0'.repeat(500_000)}1e]`],
		['spaces after numbers', `[${`9007199254740993${' '.repeat(40)},`.repeat(50_000)}0]`],
		['backslashes', `["${'\\\\'.repeat(2_000_000)}"]`],
		['minus signs', '-'.repeat(5_000_000)],
		['distinct keys', `[${Array.from({ length: 100_000 }, (_, i) => `{"k${i}":0}`).join()}]`],
	])('takes less than a second for %s', async (_, text) => {
		await expectCost(1, () => {
			try {
				parse(text);
			} catch (error) {
				expect(error).toBeInstanceOf(SyntaxError);
			}
		});
	});

	it.each([
		['objects with keys of their own', list(1080, nestedKeys)],
		['small strings', list(290_000, (index) => `"${String(index).padStart(14, 'x')}"`)],
		['objects without keys', list(74_000, () => '{}')],
		['long text', `"${'€'.repeat(1_700_000)}"`],
	])('holds less than 300 MB with ten at once full of %s', async (_, text) => {
		const parseTen = async () =>
			await Promise.resolve(Array.from({ length: 10 }, () => parse(text)));
		const { result, held } = await memoryHeldDuring(parseTen);
		expect(result.filter((parsed) => typeof parsed === 'object')).toHaveLength(10);
		expect(held).toBeLessThan(300 * 1024 * 1024);
	});
});
