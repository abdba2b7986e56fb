import { keyOf } from '../../services/digestOf';

describe('The key of a text that a service chose', () => {
	it('is the text itself, if it is short', () => {
		expect(keyOf('id 01jd7k8w-5b1c')).toBe('id 01jd7k8w-5b1c');
	});

	it.each([101, 16_350, 1_000_000])('takes little memory at %s characters', (length) => {
		const [one, other] = ['a', 'b'].map((last) => keyOf('é'.repeat(length - 1) + last));
		expect(one.length).toBeLessThanOrEqual(32);
		expect(one).not.toBe(other);
	});
});
