import { scanIdText } from '../../../../../nodes/ContentScan/actions/common/scanId';

describe('a scan id', () => {
	it.each([
		[123456, '123456'],
		['123456', '123456'],
		[' 123456\n', '123456'],
		['001E94824_1_5d1c_20230607', '001E94824_1_5d1c_20230607'],
		['...', '...'],
		['12345678901234567890', '12345678901234567890'],
		[12345678901234567890n, '12345678901234567890'],
		[{ __rl: true, mode: 'id', value: '7' }, '7'],
		[{ __rl: true, mode: 'list', value: 7 }, '7'],
		[0, '0'],
	])('%p is taken as %s', (value, text) => {
		expect(scanIdText(value)).toBe(text);
	});

	it.each([
		['', 'is empty'],
		['  \t', 'is empty'],
		['.', 'cannot be used in a URL'],
		['..', 'cannot be used in a URL'],
		[' .. ', 'cannot be used in a URL'],
		['../../quarantine/release/1', '"../../quarantine/release/1" cannot be used in a URL'],
		['a/b', 'cannot be used in a URL'],
		['..\\release', 'cannot be used in a URL'],
		['%2e%2e', 'cannot be used in a URL'],
		['1\u00002', 'cannot be used in a URL'],
		['1\n2', '"1\\n2" cannot be used in a URL'],
		[null, 'is missing'],
		[undefined, 'is missing'],
		[true, 'is missing'],
		[{}, 'is missing'],
		[{ __rl: true, mode: 'id', value: '' }, 'is empty'],
		[1.5, 'not a whole number'],
		[2 ** 60, 'not a whole number'],
		[NaN, 'not a whole number'],
	])('%p is refused: %s', (value, why) => {
		expect(() => scanIdText(value)).toThrow(why);
	});
});
