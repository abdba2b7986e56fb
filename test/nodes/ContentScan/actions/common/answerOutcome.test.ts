import {
	answerOutcome,
	refusesSubmission,
} from '../../../../../nodes/ContentScan/actions/common/answerOutcome';

/** The text alone, and in each field that says something in words. */
function inAnswers(words: string): unknown[] {
	const fields = ['status', 'state', 'result', 'message', 'detail', 'response', 'warning'];
	return [words, [words], ...fields.map((field) => ({ [field]: words }))];
}

describe('says that it was not done', () => {
	it.each<unknown>([
		...[false, 'false', 'FALSE ', 0, '0', 'no', 'failed', '', null].map((success) => ({ success })),
		...[{ succeeded: false }, { successful: false }, { is_success: false }, { ok: false }],
		...[{ Success: false }, { wasReleased: false }, { verdict_changed: false }, { changed: false }],
		...[{ released: [] }, { released_count: 0 }, { data: { done: false } }],
		...[{ has_been_released: false }, { http_status: 403 }],
	])('by a flag: %j', (answer) => expect(answerOutcome(answer)).toBe('failed'));

	it.each<unknown>([
		...[{ error: 'no such scan' }, { errors: ['x'] }, { errors: { email: ['x'] } }],
		...[{ success: true, error: { code: 5 } }, { data: { error: 'x' } }, { failed: ['5'] }],
		...[{ failures: ['F1'] }, { error_code: 17 }, { errorMessage: 'x' }, { exception: 'KeyError' }],
	])('by an error: %j', (answer) => expect(answerOutcome(answer)).toBe('failed'));

	it.each<unknown>([
		...[{ status: 500 }, { status: '404' }, { statusCode: 404 }, { code: 404 }],
		{ type: 'about:blank', title: 'Forbidden', status: 403 },
	])('by a number: %j', (answer) => expect(answerOutcome(answer)).toBe('failed'));

	it.each([
		...['failed', ' Error', 'error: x', 'rejected', 'denied_by_policy', 'invalid_request'],
		'Failed to release the email',
	])('by a text that begins with a refusal: %s', (words) => {
		for (const answer of inAnswers(words)) expect(answerOutcome(answer)).toBe('failed');
	});

	it.each<unknown>([
		...[false, [false], [{ success: false }], { results: [{ success: true }, { ok: false }] }],
		...[{ status: false }, { success: true, data: { success: 'no' } }],
		{ full_scan_id: 'F1', error: 'The email is not in quarantine' },
		{ full_scan_id: 'F1', released: false, message: 'Email is not in quarantine' },
	])('anywhere in it: %j', (answer) => expect(answerOutcome(answer)).toBe('failed'));
});

describe('counts as done', () => {
	it.each<unknown>([
		null,
		undefined,
		'',
		{},
		true,
		{ id: 5 },
		{ ticket: 'INC-42' },
		{ last_updated: '' },
		{ updated: '2026-11-26T10:00:00Z' },
	])('where it says nothing of it: %j', (answer) => expect(answerOutcome(answer)).toBe('done'));

	it.each<unknown>([
		...[{}, [], '', 'none', 'No error', '0', 0, false, null].map((errors) => ({ errors })),
		{ error: { code: 0, message: '' }, errors: { count: 0 }, failed: { count: 0, ids: [] } },
		...['OK', 'N/A', 'none.'].map((error) => ({ error })),
	])('where errors are none: %j', (answer) => expect(answerOutcome(answer)).toBe('done'));

	it.each<unknown>([
		...[{ success: 'Email released' }, { status: 0, data: {} }, { released: 1 }],
		{ status: 'no errors', data: [{ success: true }] },
		{ status: 200, failed: [], result: 'released' },
		...[{ success: true, data: false }, { data: '500 emails released' }, { result: 404 }],
		...[{ message: 'Released. No errors.' }, { code: '200', message: 'OK' }],
		...[
			'Email was already released',
			'Release in progress',
			'queued_for_release',
			{ status: 'open' },
			'No action required: already released',
		],
		{ success: true, message: 'E-Mail wurde freigegeben' },
		{ released_at: null, updated_by: 'no one', updated: true },
	])('where it says so: %j', (answer) => expect(answerOutcome(answer)).toBe('done'));

	it('where it is the record of a scan', () => {
		const record = { id: 7, verbose_verdict: 'MAL', finished_at: null, status: 'quarantined' };
		expect(answerOutcome(record)).toBe('done');
	});
});

describe('is unclear', () => {
	it.each([
		...['unsuccessful', 'nok', 'NOT_FOUND', 'notFound', 'internal_error', 'aborted', 'timed out'],
		'Unable to release email',
		'Cannot release: email was deleted',
		'Email could not be released',
		"The verdict can't be changed",
		'Release failed',
		'Access denied',
		'License does not include this function',
		'The email is not in quarantine',
		'Authentication credentials were not provided.',
		'Scan does not exist',
		'Scan not released',
		'You do not have permission to perform this action.',
		'No license',
		'Authentication required',
		'Released. The sender could not be told.',
		'Released 0 emails',
	])('in words that may be a refusal, whatever a flag says: %s', (words) => {
		for (const answer of inAnswers(words)) expect(answerOutcome(answer)).toBe('unclear');
		expect(answerOutcome({ success: true, message: words })).toBe('unclear');
		expect(answerOutcome({ success: false, message: words })).toBe('failed');
	});

	it.each<unknown>([
		...['E-Mail wurde freigegeben', { message: 'see the log' }, { status: 'quarantined' }],
		...[{ completed: false }, { status: 'open', acknowledged: false }, { title: 'Forbidden' }],
		{ status: 'open', title: 'Unknown sender' },
		...[[], { results: [] }, { email: { released: false } }],
		{ success: 'partial' },
		{ results: [{ status: 'rejected_sender_ok' }] },
	])('in other words, or in such that contradict each other: %j', (answer) => {
		expect(answerOutcome(answer)).toBe('unclear');
	});

	it.each([
		{ full_scan_id: '7_1', finished_at: 5, status: 'ERROR', errors: ['engine av1 timed out'] },
		{ id: 7, verbose_verdict: 'MAL', released: false },
		{ id: 7, verbose_verdict: 'MAL', error: 'verdict was not changed' },
	])('in the record of a scan, of which a part may have failed: %j', (answer) => {
		expect(answerOutcome(answer)).toBe('unclear');
	});
});

it('does not take the texts of the request, which the answer repeats, for words of the service', () => {
	const reason = 'Rejected as malicious by mistake: an invoice';
	const answer = { id: 77, status: 'CLN', reason, message: [reason] };
	expect(answerOutcome(answer)).toBe('failed');
	expect(answerOutcome(answer, [reason, 'CLN'])).toBe('done');
	expect(answerOutcome({ ...answer, error: 'no such scan' }, [reason])).toBe('failed');
});

describe('the answer to a submission, which gives an ID,', () => {
	it.each<Record<string, unknown>>([
		...[{ success: false }, { ok: false }, { accepted: 'no' }, { error: 'license expired' }],
		...[{ status: 'rejected' }, { status: 'error: quota' }, { status: 403 }, { code: '500' }],
		{ message: 'Failed to queue the file' },
	])('refuses it plainly: %j', (answer) => {
		expect(refusesSubmission({ scan_id: 5, ...answer })).toBe(true);
	});

	it.each<Record<string, unknown>>([
		...[{}, { status: 'NOT_STARTED' }, { status: 'unknown' }, { completed: false }],
		...[{ done: false }, { result: 'not available yet' }, { message: 'not completed yet' }],
		...[{ updates: [] }, { applied_rules: [] }, { release: '0.9.1' }, { error: null }],
		...[
			{ title: 'Failure Notice' },
			{ info: 'No callback_url given' },
			{ status: 200 },
			{ success: true },
		],
	])('may say that it has yet to be done: %j', (answer) => {
		expect(refusesSubmission({ scan_id: 5, ...answer })).toBe(false);
	});
});
