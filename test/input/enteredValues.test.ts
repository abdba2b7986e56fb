import type { UserError } from 'n8n-workflow';
import {
	enteredBoolean,
	enteredCount,
	enteredNumber,
	enteredOption,
	enteredText,
	shortened,
	shown,
} from '../../input/enteredValues';
import { expectCost } from '../support/expectCost.cts';

function refusal(act: () => unknown): UserError {
	try {
		act();
	} catch (error) {
		return error as UserError;
	}
	throw new Error('Nothing was refused');
}

describe('a switch', () => {
	test.each([
		[true, true],
		['true', true],
		[' True ', true],
		[false, false],
		['false', false],
		['FALSE', false],
	])('set to %p by an expression is %p', (value, meant) => {
		expect(enteredBoolean(value, 'Return All')).toBe(meant);
	});

	test.each([undefined, null, '', 'yes', 'on', '1', 1, 0, [], [true], {}])(
		'is neither on nor off with %p',
		(value) => {
			const { message, description } = refusal(() => enteredBoolean(value, 'Return All'));
			expect(message).toBe("'Return All' must be true or false");
			expect(description).toContain(`It is ${JSON.stringify(value) ?? 'undefined'}.`);
		},
	);
});

describe('an option', () => {
	const order = (value: unknown) =>
		enteredOption(value, 'Order', ['newestFirst', 'oldestFirst'] as const);

	test('is taken by its value', () => {
		expect(order('oldestFirst')).toBe('oldestFirst');
	});

	test.each([undefined, null, '', 'Newest First', 'newestfirst', ['oldestFirst'], 'toString'])(
		'%p is refused, with the choices',
		(value) => {
			const { message, description } = refusal(() => order(value));
			expect(message).toBe("'Order' is not one of its options");
			expect(description).toContain('newestFirst, oldestFirst');
		},
	);
});

describe('a number', () => {
	test.each([
		[0, 0],
		[2.5, 2.5],
		[' 7 ', 7],
		['1e2', 100],
		['.5', 0.5],
	])('%p is %p', (value, meant) => {
		expect(enteredNumber(value, 'Wait (Seconds)', { least: 0 })).toBe(meant);
	});

	test.each([
		-1,
		NaN,
		Infinity,
		'',
		' ',
		'many',
		'0x10',
		'1,5',
		'5 s',
		true,
		null,
		undefined,
		[5],
		{},
	])('%p is refused', (value) => {
		expect(refusal(() => enteredNumber(value, 'Wait (Seconds)', { least: 0 })).message).toBe(
			"'Wait (Seconds)' must be a number of 0 or more",
		);
	});

	test('is refused at once, however long it is', async () => {
		for (const digits of ['1', '0', '.']) {
			const value = `${digits.repeat(100_000)}x`;
			const entered = () => enteredNumber(value, 'Limit', { least: 0 });
			await expectCost(1, () => expect(refusal(entered).message).toContain('Limit'));
		}
	});

	test('of things is whole, and not above what is possible', () => {
		expect(enteredCount('100', 'Items', { most: 100 })).toBe(100);
		for (const value of [0, 1.5, 101, 1e300]) {
			expect(refusal(() => enteredCount(value, 'Items', { most: 100 })).message).toBe(
				"'Items' must be a whole number from 1 to 100",
			);
		}
		expect(refusal(() => enteredCount(1e300, 'Limit')).message).toContain('of 1 or more');
	});
});

describe('a text', () => {
	test.each([
		[undefined, ''],
		[null, ''],
		[' a ', ' a '],
		[123456, '123456'],
	])('%p is %p', (value, meant) => {
		expect(enteredText(value, 'URL')).toBe(meant);
	});

	test.each([
		[['a'], 'is a list, not text'],
		[{ secret: 1 }, 'is an object, not text'],
		[true, 'is true, not text'],
		['http://a.example/\ud800', 'holds an incomplete character'],
		[NaN, 'is not a number'],
		[2 ** 60, 'is a number too large to be exact'],
	])('%p is refused', (value, what) => {
		const { message, description } = refusal(() => enteredText(value, 'URL'));
		expect(message).toBe(`'URL' ${what}`);
		expect(description).not.toContain('secret');
	});

	test('of over 65,536 characters is refused', () => {
		expect(enteredText('x'.repeat(65_536), 'URL')).toHaveLength(65_536);
		const { message, description } = refusal(() => enteredText('x'.repeat(65_537), 'URL'));
		expect(message).toBe("'URL' is longer than 65,536 characters");
		expect(description).not.toContain('xx');
	});
});

it.each([
	[shortened('<a href="https://x.example">'), '‹a href="https://x.example"›'],
	[shown({ a: '<b>' }), '{"a":"‹b›"}'],
	[shortened('x'.repeat(300)), `${'x'.repeat(200)}…`],
])('is quoted in an error without HTML, and not longer than one can read', (quoted, expected) => {
	expect(quoted).toBe(expected);
});
