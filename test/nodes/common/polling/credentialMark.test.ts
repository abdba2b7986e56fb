import { recognized } from '../../../../nodes/common/polling/credentialMark';

it('knows a credential again, and another one', () => {
	const { mark } = recognized(undefined, 'one');
	expect(recognized(mark, 'one')).toEqual({ mark, isOther: false });
	expect(recognized(mark, 'two').isOther).toBe(true);
});

it('is salted: two triggers with one credential store different marks', () => {
	const [one, other] = [recognized(undefined, 'one').mark, recognized(undefined, 'one').mark];
	expect(one.salt).not.toBe(other.salt);
	expect(one.digest).not.toBe(other.digest);
});
