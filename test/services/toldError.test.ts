import { tellsError } from '../../services/toldError';

describe('an answer', () => {
	it.each([
		[{ success: true, error: 'Sandbox crashed' }],
		[{ status: 200, error_message: 'Sandbox crashed' }],
		[{ errors: '2 of 3 shards succeeded' }],
		[{ error: 'Successful until the limit was exceeded' }],
		[{ errors: 'Success: aborted' }],
		[{ code: { http: 500 }, errors: [{ code: 7 }] }],
	])('tells an error by %j', (body) => expect(tellsError(body)).toBe(true));

	it.each([
		[{ status: { code: 500 }, success: true }],
		[{ success: true, error_message: 'Completed' }],
		[{ errors: 'All shards succeeded' }],
	])('tells none by %j', (body) => expect(tellsError(body)).toBe(false));
});
