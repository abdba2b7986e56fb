import { formsOf } from '../e2e/secrets/secretForms.cts';
import { UsedSecrets } from '../e2e/secrets/usedSecrets.cts';

const SECRET = 'c3P0/token+with ünusual "signs"';

const isFound = (text: string): boolean =>
	formsOf(SECRET).some(({ bytes }) => Buffer.from(text).includes(bytes));

describe('the forms of a secret', () => {
	it.each([0, 1, 2, 3, 4, 5])('find it in base64 behind %i other bytes', (before) => {
		for (const after of ['', '!', '!!', '!!!']) {
			const text = `${'x'.repeat(before)}${SECRET}${after}`;
			expect(isFound(Buffer.from(text).toString('base64'))).toBe(true);
			expect(isFound(Buffer.from(text).toString('base64url'))).toBe(true);
		}
	});

	it('find it as it is, percent-encoded, in JSON and in hex', () => {
		expect(isFound(`Token ${SECRET}.`)).toBe(true);
		expect(isFound(`?token=${encodeURIComponent(SECRET)}&a=b`)).toBe(true);
		expect(isFound(JSON.stringify({ token: SECRET }))).toBe(true);
		expect(isFound(Buffer.from(SECRET).toString('hex'))).toBe(true);
	});

	it('do not find another one', () => {
		expect(isFound('c3P0/token+with usual signs')).toBe(false);
		expect(isFound(Buffer.from('c3P0/token+with usual signs').toString('base64'))).toBe(false);
	});
});

describe('the secrets of a run', () => {
	it('are named by a label, never by themselves', () => {
		const secrets = new UsedSecrets();
		secrets.add('a header of a test', SECRET);
		expect(secrets.all()).toContainEqual({ label: 'a header of a test', value: SECRET });
		for (const { label, value } of secrets.all()) expect(label).not.toContain(value);
	});

	it('are not so short that they would be found by chance', () => {
		expect(() => new UsedSecrets().add('a pin', '1234')).toThrow('a pin is too short');
	});
});
