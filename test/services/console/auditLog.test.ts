import { getEntry, listEntries, serverNow } from '../../../services/console/auditLog';
import { MOST_ON_A_PAGE } from '../../../services/pageCircle';
import type { NodeApiError } from 'n8n-workflow';
import { FakeClock } from '../../support/fakeClock.cts';
import { setUp } from '../../transport/support/fakeConnection';
import type { Sent } from '../../nodes/ContentScan/support/fakeService';
import { FakeService } from '../../nodes/ContentScan/support/fakeService';

it('refuses a page of more records than any log has, before it makes entries of them', async () => {
	const page = (length: number) =>
		listEntries(new FakeService(() => ({ items: Array(length).fill(null) })), { limit: 100 });
	await expect(page(MOST_ON_A_PAGE + 1)).rejects.toThrow('one page holds over 20,000 records');
	expect((await page(MOST_ON_A_PAGE)).page.items).toHaveLength(MOST_ON_A_PAGE);
});

it('asks a console for its clock that refuses times to come, with a clock of n8n that is ahead', async () => {
	const clock = new FakeClock({ start: Date.UTC(2026, 0, 2) });
	const asked: unknown[] = [];
	const service = new FakeService(({ call }: Sent) => {
		asked.push(call?.query);
		return { items: [] };
	});
	await serverNow(service, { clock, deadline: clock.now() + 1000 });
	expect(asked).toEqual([{ since: '2026-01-01T00:00:00.000Z', limit: 1 }]);
});

it('takes null for an empty list, as some services write it', async () => {
	const service = new FakeService(() => ({ items: null, nextPageToken: null }));
	expect((await listEntries(service, { limit: 100 })).page).toEqual({ items: [] });
});

it('says where an answer tells of the next page, so that it stays what the console wants back', async () => {
	const service = new FakeService(() => ({ items: [] }));
	await listEntries(service, { limit: 100 });
	expect(service.sent[0].call?.nextPageField).toBe('nextPageToken');
});

describe('an error that comes with the status 200', () => {
	const asked = (body: object, connection: Parameters<typeof setUp>[1] = {}) => {
		const { service } = setUp(() => ({ body }), connection);
		return [listEntries(service, { limit: 100 }), getEntry(service, 'a-1', {})];
	};
	const error = { code: 'invalid', message: 'Session TOP%2DSECRET%2D1 expired' };

	it('is quoted, without secrets', async () => {
		for (const answer of asked({ error })) {
			await expect(answer).rejects.toMatchObject({
				description: expect.stringContaining('"Session [redacted] expired"'),
			});
		}
	});

	it.each([
		{ items: [], success: false, error: 'Search timed out' },
		{ items: [], nextPageToken: null, errors: [{ message: 'Search timed out' }] },
		{ items: null, ok: false, message: 'Search timed out' },
		{ items: null, status: 503, message: 'Search timed out' },
		{ items: [], Success: false, Error: 'Search timed out' },
		{ success: false, data: null, error: 'Search timed out' },
		{ timestamp: '2026-11-28T00:00:00Z', status: 500, error: 'Search timed out', path: '/x' },
		{ fault: { faultstring: 'Search timed out' } },
		{ errors: [{ message: 'Search timed out' }], data: null },
		{ statusCode: 500, message: 'Search timed out', activityId: 'z' },
		{ error_msg: 'Search timed out', error_no: 3 },
	])('is neither an empty page nor an entry: %j', async (body) => {
		const isQuoted = async (answer: Promise<unknown>) =>
			await expect(answer).rejects.toMatchObject({
				description: expect.stringContaining('Search timed out'),
			});
		await Promise.all(asked(body).map(isQuoted));
	});

	it.each([
		{ errors: [{ message: 'Shard 1 of 2 timed out' }] },
		{ success: false, message: 'Shard 1 of 2 timed out' },
		{ error: 'Shard 1 of 2 timed out', total: 2 },
		{ success: 'false', detail: 'Shard 1 of 2 timed out' },
		{ ok: 0, error_code: 17, message: 'Shard 1 of 2 timed out' },
		{ errorMessage: 'Shard 1 of 2 timed out' },
		{ status: 500, message: 'Shard 1 of 2 timed out' },
		{ status: 'error', statusCode: '503', message: 'Shard 1 of 2 timed out' },
		{ ok: 'No', message: 'Shard 1 of 2 timed out' },
		{ status: 'fail', message: 'Shard 1 of 2 timed out' },
		{ error: 'No data: Shard 1 of 2 timed out' },
		{ status: 'FAILURE', message: 'Shard 1 of 2 timed out' },
		{ status: 'PARTIAL_SUCCESS', message: 'Shard 1 of 2 timed out' },
		{ code: 'DEADLINE_EXCEEDED', message: 'Shard 1 of 2 timed out' },
		{ status: 'Internal Server Error', message: 'Shard 1 of 2 timed out' },
		{ code: 'INTERNAL_ERROR', message: 'Shard 1 of 2 timed out' },
		{ success: 'failed', message: 'Shard 1 of 2 timed out' },
		{ success: true, errors: ['Shard 1 of 2 timed out'] },
		{ errorMessages: ['Shard 1 of 2 timed out'], errors: {} },
		{ hasError: true, message: 'Shard 1 of 2 timed out' },
		{ timed_out: true, message: 'Shard 1 of 2 timed out' },
		{ code: 0, errorMessage: 'Success, but: Shard 1 of 2 timed out' },
		{ status: 200, errorMessage: 'Shard 1 of 2 timed out' },
		{ error: 'Without success: Shard 1 of 2 timed out' },
		{ success: true, errorMessage: 'Cut: Shard 1 of 2 timed out' },
		{ error: { code: null, message: 'Shard 1 of 2 timed out' } },
		{ error: { code: 0, message: 'Shard 1 of 2 timed out', severity: 'INFO' } },
		{ error: 'Success; Shard 1 of 2 timed out' },
		{ has_errors: 1, message: 'Shard 1 of 2 timed out' },
	])(
		'tells that entries are missing on a page that has some, and quotes none: %j',
		async (error) => {
			const body = { items: [{ auditlogId: 'a-1', actor: 'jo' }], nextPageToken: 't', ...error };
			const { description } = (await listEntries(new FakeService(() => body), { limit: 100 }).catch(
				(refused: unknown) => refused,
			)) as NodeApiError;
			expect(description).toContain('Shard 1 of 2 timed out');
			expect(description).not.toContain('jo');
		},
	);

	it.each<object>([
		{ error: 0, errors: [], success: true },
		{ error: 'None', errors: { count: 0, list: [null] } },
		{ errors: '0', exception: '', fault: 'No errors found.' },
		{ error: { code: 0, message: 'OK' }, success: 'true', ok: 1, status: 200 },
		{ error: 'NO_ERROR', errorCode: 0, exception: 'nil' },
		{ error: { code: 200, message: 'The operation completed successfully.', request_id: 'a8' } },
		{ error: 'No exception', errorMessage: '', code: 1000, status: 'final' },
		{ errorCode: 'S0000', errorMessage: 'Request processed successfully', statusCode: '200' },
		{ error: { code: 0, severity: 'INFO', timestamp: '2026-11-28T00:00:00Z' } },
		{ error: { success: true }, errors: { items: [] }, exception: 'NoError' },
		{ errorCode: 0, errorMessage: '成功' },
		{ errorCount: 3, errorRate: 0.02, errorsUrl: '/errors' },
		{ success: 98, failed: 2, partial: 1, total: 100 },
		{ error_code: 0, error_msg: 'Data fetched successfully' },
		{ errno: 0, error_msg: 'Query OK, 100 rows' },
		{ errorCode: 'OK', errorMessage: 'Done' },
		{ success: true, error: { code: 0, message: 'Abgeschlossen' } },
		{ success: true, status: 200, errorMessage: '3 entries' },
		{ errors: { errorCount: 0 }, errorCode: 'ERROR_SUCCESS' },
		{ hasError: false, isError: 'false', timed_out: false, partial: false },
		{ errno: '0x0', error: { hasError: false, message: '-' }, errorInfo: 'no_errors_found' },
	])('is not told by fields that say that there is none: %j', async (none) => {
		for (const items of [[], [{ auditlogId: 'a-1' }]]) {
			const service = new FakeService(() => ({ items, ...none }));
			expect((await listEntries(service, { limit: 100 })).page.items).toEqual(items);
		}
	});

	it.each([
		{ error: 'No records found' },
		{ errors: ['no results'] },
		{ success: false, message: 'No new entries.' },
		{ error: { code: 404, message: 'No items were found' } },
		{ success: false, error: { code: 404, message: 'No items were found' } },
		{ success: false, errors: [{ message: 'No events' }] },
		{ success: 'false', error: { error: { code: '404', message: 'No data.' }, request_id: 'a8' } },
		{ success: false, status: 200, error_code: 'E0', message: 'No data' },
		{ error: { code: 'NOT_FOUND', message: 'No results found' } },
		{ status: 'error', error: true, code: 'NO_DATA', message: 'No data' },
		{ title: 'Not Found', status: 404, detail: 'No entries found', type: 'about:blank' },
		{ success: false, message: 'No data found', errorCode: 204 },
	])('is no error beside an empty list where it only says that: %j', async (none) => {
		const page = async (items: object[]) =>
			await listEntries(new FakeService(() => ({ items, ...none })), { limit: 100 });
		expect((await page([])).page.items).toEqual([]);
		await expect(page([{ auditlogId: 'a-1' }])).rejects.toThrow('went wrong');
	});

	it.each([
		{ errors: ['Search timed out'], message: 'No results found.' },
		{ error: 'Search timed out', message: 'No data available' },
		{ status: 500, message: 'No data available' },
		{ success: false, message: 'No data', error: { code: 404, message: 'Search timed out' } },
		{ error: { code: 'INTERNAL_ERROR', message: 'No data available' } },
		{ timed_out: true, message: 'No data' },
		{ success: false, message: 'No data', details: 'Search timed out' },
		{ success: false, error: { code: 500, message: 'No data' } },
		{ error: 'timeout: no data' },
		{ error: 'No data', error_code: 'SHARD_FAILURE' },
		{ errors: [{ message: 'No data' }, { message: 'Search timed out' }] },
		{ success: false, error: { message: 'No data found', cause: 'Connection reset' } },
		{ success: false, error: { message: 'No data', innererror: { shard: 'offline' } } },
		{ errors: [{ message: 'No data', source: 'index offline' }] },
		{ success: false, message: 'No data', error_source: 'index offline' },
		{ success: 'error 503', message: 'No data' },
		{ error: 'Not Found' },
		{ partial: true, message: 'No data' },
		{ status: 'fail', message: 'No data', failed: 3, has_errors: 2 },
		{ success: false, message: 'No data', code: { toString: 1 } },
		{ errors: Array(101).fill('No data') },
	])(
		'is one beside an empty list, though something there says that it is empty: %j',
		async (told) => {
			const service = new FakeService(() => ({ items: [], ...told }));
			await expect(listEntries(service, { limit: 100 })).rejects.toThrow('went wrong');
		},
	);

	it('is not where n8n may have renewed the token, nor where entries may stand in it', async () => {
		const entries = { records: [{ message: 'Session of user' }] };
		for (const answer of [...asked({ error }, { renewsToken: true }), asked(entries)[0]]) {
			const { description } = (await answer.catch((refused: unknown) => refused)) as NodeApiError;
			expect(description).toMatch(/^(Nothing of the answer was used|The service may have changed)/);
			expect(description).not.toContain('Session');
		}
	});
});

describe('one entry', () => {
	const got = (answer: object) => getEntry(new FakeService(() => answer), 'a-1', {});

	it.each<[object, string]>([
		[{}, 'there is no entry'],
		[{ error: 'not found' }, 'there is no entry'],
		[{ detail: 'x', status: 404 }, 'there is no entry'],
		[{ success: false, message: 'API key is disabled' }, 'there is no entry'],
		[{ error_code: 5, title: 'No', requestId: 'r-1' }, 'there is no entry'],
		[{ items: [], nextPageToken: null }, 'there is no entry'],
		[[], 'there is no entry'],
		[{ auditlogId: 'a-2', action: 'login' }, 'it is another entry'],
	])('is not taken from the answer %j', async (answer, words) => {
		await expect(got(answer)).rejects.toThrow(words);
	});

	it.each([{ auditlogId: 'A-1' }, { id: 7, error: 'denied' }, { entry: { action: 'login' } }])(
		'is taken from the answer %j',
		async (answer) => expect(await got(answer)).toEqual(answer),
	);
});
