import { NodeApiError } from 'n8n-workflow';
import type { NodeExecutionHint } from 'n8n-workflow';
import { node, Refusal } from '../support/fakeService';
import { describedPaths, runNode } from '../support/runNode';

import { clean, finished, list, serviceWith, waiting } from '../support/waitingScans';

describe('a submission', () => {
	it('waits for its verdict with no option touched, in one shape', async () => {
		const record = { id: 1, full_scan_id: 'long 1', names: ['x'], ...finished };
		const run = await runNode(
			{ parameters: waiting() },
			serviceWith(() => list(record)),
		);
		expect(run.json).toStrictEqual([
			{
				scanId: 'long 1',
				status: 'finished',
				verdict: 'malicious',
				verdictCode: 'MAL',
				clean: false,
				createdAt: null,
				finishedAt: '2026-11-01T08:00:09Z',
				names: ['x'],
				sha256: null,
				from: null,
				submittedId: '1',
			},
		]);
	});

	it('gives answer and record as sent when it is not to be simplified', async () => {
		const record = { id: 1, ...clean, evidence: [{ a: 1 }] };
		const run = await runNode(
			{ parameters: waiting({}, { simplify: false }) },
			serviceWith(() => list(record)),
		);
		expect(run.json).toStrictEqual([
			{
				scanId: '1',
				status: 'finished',
				verdict: 'clean',
				verdictCode: 'CLN',
				clean: true,
				answer: { scan_id: 1 },
				scan: record,
			},
		]);
	});

	it('that does not wait says so in a hint', async () => {
		const hints: NodeExecutionHint[] = [];
		const parameters = waiting({}, { waitForVerdict: false });
		const run = await runNode(
			{ parameters, hints, items: 2 },
			serviceWith(() => list()),
		);
		expect(run.json).toMatchObject([{ status: 'submitted', clean: null }, { clean: null }]);
		expect(hints[0].message).toContain('2 scans submitted without waiting: there is no verdict');
		expect(run.sent).toHaveLength(2);
	});

	it('is not sent where the verdict could not be read: the path of the list is wrong', async () => {
		const paths = { ...describedPaths, listScans: 'https://elsewhere.example/' };
		const run = await runNode({ parameters: waiting() }, () => ({}), paths);
		expect(run.error?.message).toContain('List Scans');
		expect(run.sent).toHaveLength(0);
	});

	it('reads the list from shortly before the service’s own time', async () => {
		const run = await runNode(
			{ parameters: waiting() },
			serviceWith(() => list({ id: 1, ...finished })),
		);
		expect(run.sent[1].call?.query?.start).toBe(1_700_000_000 - 30);
	});

	it('reads the list from before its submission began, though that took a minute', async () => {
		const run = await runNode({ parameters: waiting() }, async (sent, clock) => {
			if (sent.call?.method === 'GET') return list({ id: 1, ...finished });
			await clock.sleep(60_000);
			return { scan_id: 1 };
		});
		expect(run.sent[1].call?.query?.start).toBe(1_700_000_000 - 30);
	});

	it('that waits does not keep other items from being submitted', async () => {
		const run = await runNode(
			{ parameters: waiting({ concurrency: 2, waitTimeout: 60, onTimeout: 'item' }), items: 30 },
			serviceWith(() => list()),
		);
		const firstLookup = run.sent.findIndex(({ call }) => call?.method === 'GET');
		expect(firstLookup).toBe(30);
		expect(run.json).toHaveLength(30);
	});
});

describe('an error after the submission', () => {
	it('keeps the ID when the token is revoked in the middle', async () => {
		const run = await runNode(
			{ parameters: waiting(), items: 2, onError: 'continueRegularOutput' },
			serviceWith(() => new Refusal(401)),
		);
		expect(run.items).toMatchObject([
			{
				json: {
					error: expect.stringContaining('read the verdict'),
					scanId: '1',
					clean: null,
					details: { scanId: '1', submittedId: '1', httpCode: '401' },
				},
				pairedItem: { item: 0 },
			},
			{ json: { scanId: '2' }, pairedItem: { item: 1 } },
		]);
	});

	it('is clean where the list shows it under the ID that Get gave', async () => {
		let isKnown = false;
		const run = await runNode(
			{ parameters: waiting() },
			serviceWith(({ call }) => {
				if (call?.purpose !== 'get the scan') {
					return list({ id: 'x77', full_scan_id: 'F5', ...(isKnown && clean) });
				}
				isKnown = true;
				return { id: 1, full_scan_id: 'F5', status: 'RUN' };
			}),
		);
		expect(run.json).toMatchObject([{ scanId: 'F5', submittedId: '1', clean: true }]);
	});

	it('keeps the ID in the message for n8n’s error output', async () => {
		const run = await runNode(
			{ parameters: waiting(), onError: 'continueErrorOutput' },
			serviceWith(() => new Refusal(401)),
		);
		expect(Object.keys(run.json[0])).toStrictEqual(['error', 'message']);
		expect(run.json[0].message).toMatchObject({ scanId: '1' });
	});

	it('shows no secret of an item: not that of its submission, nor of the lookup for all', async () => {
		const parameters = (item: number) =>
			waiting({ callbackHeaders: `{ "X-Secret": "secret ${item}" }` });
		const run = await runNode(
			{ parameters, items: 2 },
			serviceWith(() => list({ id: 1, ...clean }, { id: 2, ...clean })),
		);
		const secrets = run.sent.map(({ context }) => context.secrets);
		expect(secrets[0]).toContain('secret 0');
		expect(secrets[2]).toEqual(expect.arrayContaining(['secret 0', 'secret 1']));
	});

	it('names in the error of a canceled run the scans that were submitted', async () => {
		const cancel = new AbortController();
		let submissions = 0;
		const run = await runNode(
			{ parameters: waiting(), items: 3, signal: cancel.signal },
			(sent) => {
				if (sent.call?.method !== 'POST') return list();
				if (++submissions < 3) return { scan_id: submissions };
				cancel.abort();
				throw new NodeApiError(node, {}, { message: 'it was on its way' });
			},
		);
		expect(run.error?.description).toContain('no verdict yet: 1 (item 0), 2 (item 1)');
		expect(run.error?.message).toContain('it was on its way');
	});
});

describe('what an earlier scan left in the item', () => {
	const json = { clean: true, verdict: 'clean', scanId: 'old', ticket: 5, from: 'me' };

	it('gives way to the result, and goes on only where the input is included', async () => {
		const answer = serviceWith(() => list({ id: 1, ...finished }));
		const without = await runNode({ parameters: waiting(), json }, answer);
		expect(without.json[0]).not.toHaveProperty('ticket');
		const run = await runNode(
			{ parameters: waiting({ includeInput: true }), json },
			serviceWith(() => list({ id: 1, ...finished })),
		);
		expect(run.json).toMatchObject([{ ticket: 5, clean: false, scanId: '1', from: null }]);
	});

	it('takes nothing of the input along that would tell how an earlier call ended', async () => {
		const json = { ticket: 7, success: true, error: 'of an earlier call' };
		const answer = serviceWith(() => list({ id: 1, ...finished }));
		const run = await runNode({ parameters: waiting({ includeInput: true }), json }, answer);
		expect(run.json[0]).toMatchObject({ ticket: 7 });
		expect(run.json[0]).not.toHaveProperty('success');
		expect(run.json[0].error).not.toBe('of an earlier call');
	});

	it('is in no error', async () => {
		const refuse = () => new Refusal(400);
		const parameters = waiting({ includeInput: true });
		const regular = await runNode({ parameters, json, onError: 'continueRegularOutput' }, refuse);
		expect(regular.json).toMatchObject([{ ticket: 5, clean: null, verdict: null }]);
		expect(regular.json[0]).not.toHaveProperty('scanId');
		const output = await runNode({ parameters, json, onError: 'continueErrorOutput' }, refuse);
		// As a number: n8n would lay the fields of a paired item below the error.
		expect(output.items?.[0].pairedItem).toBe(0);
		const onError = 'continueErrorOutput';
		const withId = await runNode({ parameters, json: { scanId: '9' }, onError }, refuse);
		expect(withId.items?.[0].pairedItem).toBe(0);
	});
});
