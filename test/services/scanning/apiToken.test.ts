import { apiToken } from '../../../services/scanning/apiToken';

it('takes a number that an expression gives for a token', () => {
	expect(apiToken(123456)).toBe('123456');
});

it.each([undefined, null, '', ' \n'])('calls %j empty', (value) => {
	expect(() => apiToken(value)).toThrow("The 'API Token' of the credential is empty");
});

it.each([{ token: 'x' }, ['x'], true, 2 ** 60])(
	'takes %j for none, and does not show it',
	(value) => {
		expect(() => apiToken(value)).toThrow(/^'API Token' /);
		expect(() => apiToken(value)).not.toThrow('token');
	},
);
