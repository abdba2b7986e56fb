import type { FaultRule } from '../../sandbox/wire/faults.cts';

/** What may happen to a submission, and what its error says. */

interface SubmissionFault {
	fault: string;
	rule: Omit<FaultRule, 'nth'>;
	/** Part of the error's message. */
	message: string;
	/** Whether the error says that the outcome is not certain. */
	unclear?: boolean;
	/** Scans that exist afterwards. */
	scans?: number;
	httpCode?: string;
}

export const submissionFaults: SubmissionFault[] = [
	{
		fault: '401',
		rule: { status: 401 },
		message: 'did not accept the credential (401)',
		httpCode: '401',
	},
	{
		fault: '403',
		rule: { status: 403 },
		message: 'does not allow this call (403)',
		httpCode: '403',
	},
	{
		fault: '404',
		rule: { status: 404 },
		message: 'has nothing at this address (404)',
		httpCode: '404',
	},
	{ fault: '409', rule: { status: 409 }, message: 'does not allow it (409)', httpCode: '409' },
	{ fault: '413', rule: { status: 413 }, message: 'too large', httpCode: '413' },
	{
		fault: '500',
		rule: { status: 500 },
		message: 'answered with status 500',
		unclear: true,
		httpCode: '500',
	},
	{ fault: '502', rule: { status: 502 }, message: 'not available', unclear: true, httpCode: '502' },
	{ fault: '503', rule: { status: 503 }, message: 'not available', unclear: true, httpCode: '503' },
	{ fault: '504', rule: { status: 504 }, message: 'not available', unclear: true, httpCode: '504' },
	{
		fault: 'cut before the answer',
		rule: { cut: 'beforeAnswer' },
		message: 'did not answer',
		unclear: true,
	},
	{
		fault: 'cut before the body',
		rule: { cut: 'beforeBody', carryOut: true },
		message: 'Could not scan the URL',
		unclear: true,
		scans: 1,
	},
	{
		fault: 'cut during the body',
		rule: { cut: 'duringBody' },
		message: 'Could not scan the URL',
		unclear: true,
		scans: 1,
	},
	{
		fault: 'no JSON',
		rule: { body: 'notJson', carryOut: true },
		message: 'is not JSON',
		unclear: true,
		scans: 1,
	},
	{
		fault: 'an empty answer',
		rule: { body: 'empty', carryOut: true },
		message: 'there is no scan_id',
		unclear: true,
		scans: 1,
	},
	{
		fault: 'no scan_id',
		rule: { body: { without: ['scan_id'] } },
		message: 'there is no scan_id',
		unclear: true,
		scans: 1,
	},
	{
		fault: 'another shape',
		rule: { body: 'wrongShape', carryOut: true },
		message: 'there is no scan_id',
		unclear: true,
		scans: 1,
	},
	{
		fault: 'a sign-in page',
		rule: { body: 'loginPage', carryOut: true },
		message: 'a web page came back',
		unclear: true,
		scans: 1,
	},
	{
		fault: 'an endless answer',
		rule: { body: 'endless', carryOut: true },
		message: 'holds more than',
		unclear: true,
		scans: 1,
	},
	{
		fault: '1 GB',
		rule: { body: { bytes: 2 ** 30 }, carryOut: true },
		message: 'holds more than',
		unclear: true,
		scans: 1,
	},
];
