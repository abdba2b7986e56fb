import { garbageCollector } from '../../../support/transport/memory.cts';
import { Refusal } from '../support/fakeService';
import { runNode, scan } from '../support/runNode';
import { accepted, submission, submitted } from '../support/submissions';

const waits = { waitForVerdict: true };

describe('Scan URL', () => {
	it('sends the URL and its options form-encoded, and returns the ID', async () => {
		const options = {
			userAgentString: 'Agent',
			userLocation: 'DE',
			callbackUrl: 'https://me.example/hook',
			callbackParams: '{ "ticket": 12345678901234567890 }',
			callbackHeaders: { 'X-Secret': 's' },
		};
		const answer = { scan_id: 9, callback_params: { ticket: 42 }, extra: [1] };
		const run = await runNode(
			{ parameters: submission('scanUrl', { url: ' https://bad.example/?a=b ', options }) },
			() => answer,
		);
		expect(run.items).toStrictEqual([{ json: submitted('9'), pairedItem: { item: 0 } }]);
		expect(run.sent[0].call).toMatchObject({
			method: 'POST',
			path: '/api/v1/urls/',
			idempotent: false,
			body: {
				type: 'form',
				fields: {
					path: 'https://bad.example/?a=b',
					user_agent_string: 'Agent',
					user_location: 'DE',
					callback_url: 'https://me.example/hook',
					callback_params: '{ "ticket": 12345678901234567890 }',
					callback_headers: '{"X-Secret":"s"}',
				},
			},
		});
	});

	it.each([
		['bad.example', 400, true],
		['HTTPS://bad.example', 400, false],
		['bad.example', 403, false],
	])(
		'of the URL %j, refused with %d, it says that http:// is missing: %p',
		async (url, status, says) => {
			const run = await runNode(
				{ parameters: submission('scanUrl', { url }) },
				() => new Refusal(status),
			);
			const missing = "The 'URL' does not begin with http:// or https://.";
			expect(String(run.error?.description).startsWith(missing)).toBe(says);
		},
	);

	it.each([true, false])(
		'holds the answer while it waits only to put it out (Simplify: %p)',
		async (simplify) => {
			let held: WeakRef<object> | undefined;
			let isHeld: boolean | undefined;
			const parameters = submission('scanUrl', { url: 'x', simplify, ...waits });
			const { items } = await runNode({ parameters }, ({ call }, clock) => {
				if (call?.method === 'POST') {
					const answer = { scan_id: 9 };
					held = new WeakRef(answer);
					return answer;
				}
				garbageCollector()();
				isHeld = held?.deref() !== undefined;
				const time = new Date(clock.now()).toISOString();
				return { results: [{ id: 9, finished_at: time, verbose_verdict: 'MAL' }] };
			});
			expect(items?.[0].json).toMatchObject({ scanId: expect.any(String), status: 'finished' });
			expect(isHeld).toBe(!simplify);
		},
	);

	it('sends nothing but the URL without options', async () => {
		const run = await runNode({ parameters: submission('scanUrl', { url: 'x' }) }, accepted);
		expect(run.sent[0].call?.body).toStrictEqual({ type: 'form', fields: { path: 'x' } });
	});

	it('refuses parameters of a callback that are too long, also as an object', async () => {
		const options = { callbackParams: { a: ['x'.repeat(65_536)] } };
		const run = await runNode(
			{ parameters: submission('scanUrl', { url: 'x', options }) },
			accepted,
		);
		expect(run.error?.message).toContain("'Callback Parameters' is longer than 65,536 characters");
		expect(run.sent).toHaveLength(0);
	});

	it.each([
		[{ url: '' }, "'URL' is empty"],
		[{ url: '  ' }, "'URL' is empty"],
		[{ url: null }, "'URL' is empty"],
		[{ url: 'x', options: { callbackUrl: 'me.example' } }, "'Callback URL' is not a web address"],
		[{ url: 'x', options: { callbackParams: '{' } }, "'Callback Parameters' is not valid JSON"],
		[{ url: 'x', options: { callbackHeaders: '[1]' } }, "'Callback Headers' is not a JSON object"],
		[{ url: 'x', options: { callbackHeaders: '{"a":1}' } }, "'Callback Headers' is not a JSON"],
		[{ url: 'x', options: { callbackUrl: '' } }, "'Callback URL' is empty"],
		[{ url: 'x', options: { callbackUrl: undefined } }, "'Callback URL' is empty"],
		[{ url: 'x', options: { callbackHeaders: null } }, "'Callback Headers' is empty"],
		[{ url: 'x', options: { callbackHeaders: '{}' } }, "'Callback Headers' is empty"],
		[{ url: 'x', options: { callbackHeaders: new Set([1]) } }, "'Callback Headers' is empty"],
		[{ url: { url: 'x' } }, "'URL' is an object, not text"],
		[{ url: ['x', 'y'] }, "'URL' is a list, not text"],
		[{ url: 'x', options: { queueTimeout: -1 } }, "'Max Queue Time (Seconds)' must be a number"],
		[{ url: 'x', waitForVerdict: 'yes' }, "'Wait for Verdict' must be true or false"],
		[{ url: 'x', waitForVerdict: null }, "'Wait for Verdict' must be true or false"],
		[{ url: 'x', waitForVerdict: '' }, "'Wait for Verdict' must be true or false"],
		[{ url: 'x', waitForVerdict: [true] }, "'Wait for Verdict' must be true or false"],
		[{ url: 'x', simplify: 'no' }, "'Simplify' must be true or false"],
		[{ url: 'x', options: { includeInput: 1 } }, "'Include Input Fields' must be true or false"],
		[{ url: 'x', options: { concurrency: 'all' } }, "'Parallel Items' must be a whole number"],
		[{ url: 'x', options: { concurrency: 0 } }, "'Parallel Items' must be a whole number"],
		[{ url: 'x', ...waits, options: { waitTimeout: 0 } }, "'Wait Timeout (Seconds)' must be"],
		[{ url: 'x', ...waits, options: { waitTimeout: 'long' } }, "'Wait Timeout (Seconds)' must be"],
		[{ url: 'x', ...waits, options: { waitTimeout: [5] } }, "'Wait Timeout (Seconds)' must be"],
		[{ url: 'x', ...waits, options: { waitTimeout: null } }, "'Wait Timeout (Seconds)' must be"],
		[{ url: 'x', ...waits, options: { onTimeout: null } }, "'On Timeout' is not one of its"],
		[{ url: 'x', options: { includeInput: null } }, "'Include Input Fields' must be true or"],
		[{ url: 'x', ...waits, options: { onTimeout: 'skip' } }, "'On Timeout' is not one of its"],
	])('refuses %j before anything is sent', async (parameters, message) => {
		const run = await runNode({ parameters: submission('scanUrl', parameters) }, accepted);
		expect(run.error?.message).toContain(message);
		expect(run.error).toMatchObject({ name: 'NodeOperationError', context: { itemIndex: 0 } });
		expect(run.error?.description).toBeTruthy();
		expect(run.sent).toHaveLength(0);
	});

	it.each([
		[{}],
		[{ scan_id: null }],
		[{ scan_id: '' }],
		[{ scan_id: 'None' }],
		[{ scan_id: { id: 1 } }],
		[[]],
		['123'],
		[undefined],
	])('refuses the answer %j, which has no scan_id', async (answer) => {
		const run = await runNode({ parameters: submission('scanUrl', { url: 'x' }) }, () => answer);
		expect(run.error?.message).toContain('there is no scan_id');
		// It may be another's answer: the transport says that the outcome is not certain.
		expect(run.error?.description ?? '').not.toContain('was carried out');
	});

	describe('fails where the service gives an ID, and says that it failed:', () => {
		const answers = [
			{ scan_id: 5, success: false, error: 'file type not supported' },
			{ scan_id: 0, error: 'license expired' },
			{ scan_id: -1, detail: 'quota exceeded' },
			{ scan_id: 5, status: 'rejected' },
			{ scan_id: '0', info: 'quota' },
		];

		it.each(answers)('%j', async (answer) => {
			const { url, id } = { url: 'x', id: String(answer.scan_id) };
			for (const parameters of [submission('scanUrl', { url }), scan('scanUrl', { url })]) {
				const input = { parameters, onError: 'continueRegularOutput' as const };
				const { json, sent } = await runNode(input, () => answer);
				expect(json).toMatchObject([{ scanId: id, clean: null }]);
				expect(json[0].error).toContain('the scanning service reports a failure');
				const { description } = json[0].details as { description: string };
				expect(description).toContain(JSON.stringify(answer));
				expect(description).toContain(`the scan ID ${id}. Use 'Scan: Get Many' to see whether`);
				expect(sent).toHaveLength(1);
			}
		});

		it('without a secret that it gives as the ID', async () => {
			const options = {
				callbackUrl: 'https://me.example',
				callbackHeaders: { key: 'secret-value-9' },
			};
			const parameters = submission('scanUrl', { url: 'x', options });
			const answer = { scan_id: 'secret-value-9', success: false };
			const { error } = await runNode({ parameters }, () => answer);
			expect(error?.description).toContain('It answered: {"scan_id":"[redacted]"');
			expect(error?.description).toContain('It gave the scan ID [redacted].');
		});

		it('is not named as submitted or carried out', async () => {
			const parameters = submission('scanUrl', { url: 'x' });
			const { error } = await runNode({ parameters }, () => answers[0]);
			expect(error?.description).not.toMatch(/were submitted|carried out|not certain/);
		});
	});

	it.each([
		{ scan_id: 5, message: 'Ihre Datei liegt vor' },
		{ scan_id: 5, verbose_verdict: null, finished_at: null, status: 'FAILED' },
		{ scan_id: 5, error: null, status: 'queued' },
	])('takes what tells of no failure for submitted: %j', async (answer) => {
		const parameters = submission('scanUrl', { url: 'x' });
		expect((await runNode({ parameters }, () => answer)).json).toStrictEqual([submitted('5')]);
	});

	it('takes a scan_id that is text', async () => {
		const run = await runNode({ parameters: submission('scanUrl', { url: 'x' }) }, () => ({
			scan_id: '0012',
		}));
		expect(run.json).toStrictEqual([submitted('0012')]);
	});
});

describe('the error that names the scans of a run', () => {
	const options = { callbackUrl: 'https://me.example', callbackHeaders: { key: 'secret-value-9' } };
	const twoItems = { parameters: submission('scanUrl', { url: 'x', options }), items: 2 };
	const firstAnswered = (scan_id: unknown) => {
		let calls = 0;
		return () => (++calls === 1 ? { scan_id } : new Refusal(400));
	};

	it('shows no secret that the service gave as an ID', async () => {
		const { error } = await runNode(twoItems, firstAnswered('secret-value-9'));
		expect(error?.description).toContain('no verdict yet: [redacted] (item 0)');
		expect(JSON.stringify(error?.context)).not.toContain('secret-value-9');
	});

	it('says that the outcome is not certain where an ID has too many characters to be one', async () => {
		const oneItem = { ...twoItems, items: 1 };
		const { error } = await runNode(oneItem, firstAnswered('9'.repeat(4_000_000)));
		expect(error?.message).toContain('there is no scan_id of at most 200 characters');
		expect(error?.description?.length).toBeLessThan(2000);
	});
});
