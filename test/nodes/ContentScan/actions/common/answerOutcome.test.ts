import { expectCost } from '../../../../support/expectCost.cts';
import {
	answerOutcome,
	refusesSubmission,
	saysItFailed,
} from '../../../../../nodes/ContentScan/actions/common/answerOutcome';

describe('fails', () => {
	it.each<unknown>([
		...[false, 'false', 'FALSE ', 0, '0', 'no', 'failed'].map((success) => ({ success })),
		...[{ succeeded: false }, { successful: false }, { is_success: false }, { ok: false }],
		...[{ Success: false }, { accepted: 'no' }, false],
	])('where a flag of success says no: %j', (answer) =>
		expect(answerOutcome(answer)).toBe('failed'),
	);

	it.each<unknown>([
		...[{ error: 'no such scan' }, { errors: ['x'] }, { errors: { email: ['x'] } }],
		...[{ success: true, error: { code: 5 } }, { exception: 'KeyError' }],
		...[{ status: 500 }, { statusCode: 404 }, { code: 404 }, { http_status: 403 }],
		...['failed', ' Error', { status: 'rejected' }, { state: 'Denied.' }, { outcome: 'FAILED' }],
		{ type: 'about:blank', title: 'Forbidden', status: 403 },
		{ full_scan_id: 'F1', error: 'The email is not in quarantine' },
		{ status: 'ok', errors: ['No matching records found'] },
	])('where an error says so: %j', (answer) => expect(answerOutcome(answer)).toBe('failed'));
});

it.each(['0 errors, 1 fatal', 'No errors in the first part', 'none of 5'])(
	'is unclear where errors are not surely none: %j',
	(failures) => expect(answerOutcome({ success: true, failures })).toBe('unclear'),
);

it('takes no time where a text is long, and takes no part of it for all that it says', async () => {
	const text = `中${'aA'.repeat(2_500_000)}`;
	await expectCost(0.1, () => expect(saysItFailed({ message: text })).toBe(false));
	expect(answerOutcome({ message: `${'ok'.padEnd(1000)} nothing was done` })).toBe('unclear');
	expect(answerOutcome({ message: 'ok'.padEnd(1000) })).toBe('done');
});

it('takes no time where the name of a field is as long as thousands of values in it', async () => {
	const name = 'job'.repeat(16_000);
	const answer = { success: true, [name]: Array(25_000).fill(0) };
	await expectCost(1, () => expect(answerOutcome(answer)).toBe('unclear'));
});

describe('counts as done', () => {
	it.each<unknown>([null, undefined, '', {}])('by its status, where it is empty: %j', (answer) =>
		expect(answerOutcome(answer)).toBe('done'),
	);

	it.each<unknown>([
		...[{}, [], '', 'none', 'No error occurred', 'NO_ERROR', '0', 0, '0000', false, null].map(
			(errors) => ({ success: true, errors }),
		),
		{ ok: true, error: { code: 0, message: '' }, failed: { count: 0, ids: [] } },
		...['OK', 'N/A', 'none.'].map((error) => ({ status: 'done', error })),
	])('where errors are none: %j', (answer) => expect(answerOutcome(answer)).toBe('done'));

	it.each<unknown>([
		...[true, 'OK', 'Email released', 'Email was already released', 'VERDICT_CHANGED'],
		...['The e-mail has been released.', 'Verdict successfully changed'],
		...[{ success: 'Email released' }, { message: 'Released.' }, { status: 'Done' }],
		...[{ released: true }, { verdict_changed: true }, { result: true }],
		...[{ results: [{ released: true }] }, { success: 1 }, { errors: null, code: '200' }],
		{ status: 200, message: 'released' },
		{ status: 'released', detail: 'The email had been released before.' },
		{ id: 5, ticket: 'INC-42', status: 'done', created_at: '2026-11-26T10:00:00Z' },
		{ success: true, message: 'Email released from quarantine' },
		...[
			{ success: true, message: null },
			{ success: true, data: null },
		],
		{ status: 'released', released_by: 'x', modified_at: '2026-11-26T10:00:00Z' },
		{ full_scan_id: '7f3_1', success: true, timestamp: 1764180000 },
	])('where it says so: %j', (answer) => expect(answerOutcome(answer)).toBe('done'));

	it.each<unknown>([
		...['queued', 'Request received', { id: 12, status: 'open' }, { status: 'InProgress' }],
		...[{ accepted: true }, { requested: true }],
	])('what others are to do later, once they know: %j', (answer) => {
		expect(answerOutcome(answer, { isForLater: true })).toBe('done');
		expect(answerOutcome(answer)).toBe('unclear');
	});
});

describe('is unclear', () => {
	it.each([
		...['unsuccessful', 'nok', 'NOT_FOUND', 'internal_error', 'aborted', 'timed out', 'partial'],
		'Unable to release email',
		'Email could not be released',
		'Release failed',
		'License does not include this function',
		'Only quarantined emails can be released',
		'Verdict can only be changed by an administrator',
		'Email was deleted before it could be released',
		'Released: 0',
		'Released. The sender could not be told.',
		'E-Mail wurde freigegeben',
		'השחרור נכשל',
		'Not in quarantine; error code 0',
	])('in any other words: %s', (words) => {
		const fields = ['status', 'state', 'message', 'detail', 'response', 'reason', 'released'];
		const answers = [words, [words], ...fields.map((field) => ({ [field]: words }))];
		for (const answer of answers) expect(answerOutcome(answer)).toBe('unclear');
	});

	it.each<unknown>([
		...[[], { results: [] }, { released: [] }, { count: 0 }, { affected: 0, results: null }],
		...[{ success: null }, { success: '' }, { success: 'partial' }],
		...[{ found: false }, { notFound: true }, { not_found: ['5'] }, { processed: false }],
		...[
			{ completed: false },
			{ status: false },
			{ status: 'queued', released: false },
			{ done: false },
		],
		{ status: 'open', title: 'Unknown sender' },
		{ status: 'ok', message: 'Email could not be released' },
		...[{ status: 'ok', released: 0 }, { status: 'ok', released: [] }, { released: null }],
		{ scan_status: 'completed', release_status: 'denied' },
		{ folder: 'sent', result: 'denied by policy' },
		{ email: { subject: 'Done', state: 'quarantined' } },
		{ released: true, verdict_changed: false },
		{ status: 'completed', released: false },
		...[{ error_code: 17 }, { errorMessage: 'x' }, { failed: ['5'] }, { spf_fail: true }],
		{ success: true, error_message: 'could not notify the sender' },
		...[{ id: 5 }, { ticket: 'INC-42' }, { scan_id: 7, updated_by: 'no one' }, { errors: null }],
		...[{ id: 9, approved_at: null, rejected_at: '2026-11-26T10:00:00Z', rejected_by: 'admin' }],
		...[{ email: ['This email is not in quarantine.'] }, { blocked_by: 'retention policy' }],
		...[{ id: 77, released_at: null }, { result: null }, { data: { release: null } }],
		...[{ message_key: 'release.denied' }, { message_id: 'ERR_NOT_PERMITTED', status: 'ok' }],
		...[
			{ success: true, released_count: 0 },
			{ success: true, rejected_at: 1764180000 },
			{ success: true, released_at: '0001-01-01T00:00:00Z' },
			{ success: true, released_at: '1970-01-01T00:00:00-05:00' },
			{ success: true, requested: 0 },
		],
		{ success: true, message: 'No email matches this scan' },
		{ success: true, message: 'E-Mail wurde freigegeben' },
		...[{ released: true, dry_run: true }, { released: true, rejected_by: 'x' }, { status: 202 }],
		...[{ code: -1 }, { status: '400' }, { rc: 1 }, { skipped: 1 }, { not_released: 2 }, 1, -1],
	])('where nothing says plainly that it was done: %j', (answer) =>
		expect(answerOutcome(answer)).toBe('unclear'),
	);

	it.each<unknown>([
		...[[false], [{ success: false }], { results: [{ success: true }, { ok: false }] }],
		...[{ success: true, data: { success: 'no' } }, { emails: [{ id: 5, released: false }] }],
		...[{ emails: [] }, { scans: [{ id: 5, status: 'failed' }] }, { success: { value: false } }],
		...[{ release: { status: 'failed', error: 'x' } }, { released: [{ id: 5, success: false }] }],
		...[{ results: { 5: false } }, { results: { 5: 'failed' } }, { 5: 'not_found' }],
		...[{ status: { name: 'FAILED' } }, { result: { outcome: 'failed' } }],
		...[{ job_status: 'failed' }, { status_message: 'Email not found' }, { title: 'Forbidden' }],
		...[{ operation_success: false }, { email: { released: false } }],
	])('where a part of it was not done: %j', (answer) =>
		expect(answerOutcome(answer)).toBe('unclear'),
	);

	it.each<unknown>([
		{ id: 7, verbose_verdict: 'CLN', finished_at: '2026-11-26T10:00:00Z', status: 'done' },
		{ full_scan_id: '7_1', finished_at: 5, status: 'ERROR', errors: ['engine av1 timed out'] },
		{ id: 7, verbose_verdict: 'MAL', released: false },
		{ id: 7, verbose_verdict: 'MAL', finished_at: null, status: 'quarantined' },
	])('where it is the record of a scan: %j', (answer) => {
		expect(answerOutcome(answer)).toBe('unclear');
	});
});

describe('how far a scan, or an email, has come', () => {
	const outcome = (answer: unknown) =>
		answerOutcome(answer, { scanId: '5', sent: ['5'], isForLater: true });

	it.each<unknown>([
		...[{ id: 5, status: 'DONE' }, { scan: { id: 5, status: 'completed' } }],
		...[{ scan: { status: 'finished' } }, { scans: [{ id: 5, state: 'Processed' }] }],
		...[
			{ full_scan_id: '5', result: 'complete' },
			{ root_scan_id: 5, status: 'done' },
		],
		...[{ email: { id: 7, status: 'sent' } }, { scan: { id: 5, status: 'pending' } }],
		...[{ id: 5, status: 'queued' }, { emails: [{ state: 'received' }] }, 'Scan submitted'],
		...[
			{ scan_id: 77, status: 'done' },
			{ id: '77_1', status: 'completed' },
		],
		...[{ message: 'Scan completed' }, 'The scan is done.', { success: 'Scan finished' }],
	])('says nothing of what was asked for: %j', (answer) => expect(outcome(answer)).toBe('unclear'));

	it.each<unknown>([
		...[{ id: 77, status: 'completed' }, { status: 'done' }, { message: 'Release completed' }],
		...[
			{ id: 5, status: 'released' },
			{ id: 5, status: 'success' },
			{ scan_id: 5, result: 'ok' },
		],
	])('is not what is meant here: %j', (answer) => expect(outcome(answer)).toBe('done'));

	it('may be meant where the scan is known by its long ID only', () => {
		const asked = { scanId: '5_1', isForLater: true };
		expect(answerOutcome({ id: 5, status: 'DONE' }, asked)).toBe('unclear');
		expect(answerOutcome({ id: 5, status: 'released' }, asked)).toBe('done');
	});
});

it('does not take the texts of the request, which the answer repeats, for words of the service', () => {
	const reason = 'Not malicious: the filter rejected an invoice';
	const answer = { id: 77, state: 'changed', message: [reason] };
	expect(answerOutcome(answer)).toBe('unclear');
	expect(answerOutcome(answer, { sent: [reason] })).toBe('done');
	expect(answerOutcome({ message: [reason] }, { sent: [reason] })).toBe('unclear');
	const changed = { success: true, scan_id: '7_1', verdict: 'CLN', reason };
	expect(answerOutcome(changed, { sent: ['7_1', 'CLN', reason] })).toBe('done');
	expect(answerOutcome({ ...answer, error: 'no such scan' }, { sent: [reason] })).toBe('failed');
	expect(answerOutcome({ status: 'rejected' }, { sent: ['rejected'] })).toBe('failed');
});

describe('the answer to a submission, which gives an ID,', () => {
	it.each<Record<string, unknown>>([
		...[{ success: false }, { ok: false }, { accepted: 'no' }, { error: 'license expired' }],
		...[{ status: 'rejected' }, { state: 'FAILED' }, { status: 403 }, { errors: ['quota'] }],
	])('refuses it plainly: %j', (answer) => {
		expect(refusesSubmission({ scan_id: 5, ...answer })).toBe(true);
	});

	it.each<Record<string, unknown>>([
		...[{}, { status: 'NOT_STARTED' }, { status: 'unknown' }, { completed: false }],
		...[{ done: false }, { result: 'not available yet' }, { message: 'not completed yet' }],
		...[{ updates: [] }, { released: false }, { release: '0.9.1' }, { error: null }],
		...[{ title: 'Failure Notice' }, { info: 'No callback_url given' }, { status: 200 }],
		...[
			{ result: 512 },
			{ success: true },
			{ success: null },
			{ failover: true },
			{ error_handling: 'strict' },
		],
		...[{ message: 'Invalid TLS certificate at the target' }, { code: '500' }],
		{ warning: 'Failed to resolve redirect; scanning as is' },
	])('may say that it has yet to be done: %j', (answer) => {
		expect(refusesSubmission({ scan_id: 5, ...answer })).toBe(false);
	});
});

it.each<object>([
	...['not_found', 'skipped', 'rejected', 'not_released', 'denied'].map((field) => ({
		status: 'ok',
		[field]: ['001E_5_2023'],
	})),
	{ success: true, rejected_verdict: 'CLN' },
	{ success: true, rejected: { scan_id: 5 } },
	{ status: 'ok', pending_approval: { scan: '001E_5_2023', verdict: 'CLN' } },
])('does not take what the request named for done, where a field says otherwise: %j', (answer) =>
	expect(answerOutcome(answer, { sent: ['001E_5_2023', 'CLN'] })).toBe('unclear'),
);
