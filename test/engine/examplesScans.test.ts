import { eicarTestFile, sampleLines, sampleUrls } from '../../sandbox/fixtures/samples.cts';
import { ExampleBench, itemsOf, readExample, runOf } from '../support/exampleBench.cts';

/** The examples that scan, run in n8n's engine. */

describe('in the engine', () => {
	let bench: ExampleBench;

	beforeEach(async () => (bench = await ExampleBench.open()));

	afterEach(async () => await bench.close());

	it('alert-on-malicious-scans.json sends one message for each scan with a bad verdict', async () => {
		const file = 'alert-on-malicious-scans.json';
		const items = await bench.polledScans(file, [{}, { verdict: 'CLN' }, { verdict: 'XYZ' }]);
		const run = await bench.run(file, { items });

		expect(run.error).toBeUndefined();
		expect(bench.bodies()).toEqual(
			['malicious', 'XYZ'].map((verdict) => ({
				text: expect.stringMatching(
					new RegExp(`^Scan finished: ${verdict}, Message \\d+, from sender\\S+ \\(\\S+\\)$`),
				) as string,
			})),
		);
	});

	it('alert-on-malicious-scans.json shows an odd name as text, and keeps the ID behind a long one', async () => {
		const odd = '<!channel> <https://evil.example|Click>\nScan finished: clean';
		// Cut in the middle of an emoji.
		const names = [odd.padEnd(499, 'x') + '😀'.repeat(2000)];
		const run = await bench.run('alert-on-malicious-scans.json', {
			items: [{ event: 'finished', verdict: 'malicious', names, scanId: 'L1' }],
		});

		expect(run.error).toBeUndefined();
		const [{ text }] = bench.bodies() as Array<{ text: string }>;
		expect(text).toMatch(/^Scan finished: malicious, &lt;!channel&gt; .* \(L1\)$/);
		expect(text).not.toMatch(/[<>\n]|\p{Surrogate}/u);
	});

	describe('scan-mail-attachments.json', () => {
		const example = 'scan-mail-attachments.json';
		const mail = (messageId: string | undefined, contents: Array<Buffer | string>) => ({
			json: { subject: 'Any', metadata: messageId ? { 'message-id': messageId } : {} },
			binary: Object.fromEntries(
				contents.map((content, number) => [
					`attachment_${number}`,
					{ content, fileName: `file${number}.bin` },
				]),
			),
		});
		/** With the node that a user may activate. */
		const runReleasing = async ({
			change = (json: string) => json,
			...options
		}: Parameters<ExampleBench['run']>[1] = {}) =>
			await bench.run(example, {
				...options,
				change: (json) => change(json.replace('"disabled": true,', '')),
			});
		type Email = Record<string, unknown> & { sample: Record<string, unknown> };
		const heldEmails = (verdict: string): Email[] =>
			bench.sandbox
				.scans('us')
				.map(({ record }) => record as Email)
				.filter(
					(record) =>
						record.verbose_verdict === verdict &&
						record.quarantine_state === 'quarantined' &&
						record.organization_id !== '1004',
				);
		const heldEmail = (verdict: string) => heldEmails(verdict)[0];
		const messageIdOf = (email: Email) => String(email.sample.original_message_id);
		const stateOf = (email: Email) =>
			bench.sandbox.scans('us').find(({ record }) => record.full_scan_id === email.full_scan_id)!
				.record.quarantine_state;

		it('as published, hands an email held as spam on to be released when all its attachments are clean', async () => {
			const email = heldEmail('SPM');
			const run = await bench.run(example, { items: [mail(messageIdOf(email), ['one', 'two'])] });
			expect(run.error).toBeUndefined();
			expect(itemsOf(run, 'Hand On')).toMatchObject([{ json: { scanId: email.full_scan_id } }]);
			expect(stateOf(email)).toBe('quarantined');
		});

		it('releases an email held as spam when all its attachments are clean', async () => {
			const email = heldEmail('SPM');
			const run = await runReleasing({ items: [mail(messageIdOf(email), ['one', 'two'])] });
			expect(run.error).toBeUndefined();
			expect(itemsOf(run, 'Release')).toMatchObject([
				{ json: { scanId: email.full_scan_id, success: true } },
			]);
			expect(stateOf(email)).toBe('released');
		});

		it('releases nothing when one attachment is malicious, and hands that one on', async () => {
			const email = heldEmail('SPM');
			const run = await runReleasing({
				items: [mail(messageIdOf(email), ['clean', eicarTestFile()])],
			});
			expect(itemsOf(run, 'Hand On')).toMatchObject([
				{ json: { attachment: 'file1.bin', verdict: 'malicious', messageId: messageIdOf(email) } },
			]);
			expect(runOf(run, 'Release')).toBeUndefined();
			expect(stateOf(email)).toBe('quarantined');
		});

		it('releases no email held as malicious, whoever sends its Message-ID', async () => {
			const email = heldEmail('MAL');
			await runReleasing({ items: [mail(messageIdOf(email), ['clean'])] });
			expect(stateOf(email)).toBe('quarantined');
		});

		const withoutFilter = (json: string, filter: string) => {
			const workflow = JSON.parse(json) as { nodes: Array<{ name: string; parameters: object }> };
			const { parameters } = workflow.nodes.find(({ name }) => name === 'Find the Email')!;
			delete (parameters as { filters: Record<string, unknown> }).filters[filter];
			return JSON.stringify(workflow);
		};

		it.each([
			['verdict', 'MAL'],
			['originalMessageId', 'SPM'],
		] as const)(
			'releases no other email if the service ignores the filter %s',
			async (filter, code) => {
				const email = heldEmail(code);
				const states = () => bench.sandbox.scans('us').map(({ record }) => record.quarantine_state);
				const before = states();
				const messageId = filter === 'verdict' ? messageIdOf(email) : '<made-up@mail.example>';
				const run = await runReleasing({
					items: [mail(messageId, ['clean'])],
					change: (json) => withoutFilter(json, filter),
				});
				expect(itemsOf(run, 'Find the Email')).toHaveLength(1);
				expect(runOf(run, 'Release')).toBeUndefined();
				expect(states().slice(0, before.length)).toEqual(before);
			},
		);

		it.each(['<unknown>', '<no Message-ID>', '<undefined>', '<null>', '<>'])(
			'releases no email whose record has no Message-ID, for mail with %s',
			async (messageId) => {
				const run = await runReleasing({
					items: [mail(messageId, ['clean'])],
					change: (json) =>
						withoutFilter(json, 'originalMessageId').replace(
							'sample?.original_message_id',
							'sample?.left_out',
						),
				});
				expect(itemsOf(run, 'Find the Email')).toHaveLength(1);
				expect(runOf(run, 'Release')).toBeUndefined();
				expect(itemsOf(run, 'Hand On')).toHaveLength(1);
			},
		);

		it('releases nothing for mail without a Message-ID, or with an attachment that was not scanned, which is handed on', async () => {
			const email = heldEmail('SPM');
			const run = await runReleasing({
				items: [mail(undefined, ['clean']), mail(messageIdOf(email), ['clean', ''])],
			});
			expect(run.status).toBe('success');
			expect(itemsOf(run, 'Hand On').map(({ json }) => json)).toEqual([
				{
					messageId: messageIdOf(email),
					attachment: 'file1.bin',
					scanId: '',
					verdict: 'not scanned',
					clean: false,
					error: expect.stringContaining('is empty') as string,
				},
			]);
			expect(runOf(run, 'Request Investigation')).toBeUndefined();
			expect(runOf(run, 'Release')).toBeUndefined();
			expect(stateOf(email)).toBe('quarantined');
		});

		it('requests an investigation when there is no verdict in time', async () => {
			bench.sandbox.configure({ scanning: { scanDurationMs: null } });
			const run = await runReleasing({
				items: [mail('<new@mail.example>', ['slow'])],
				change: (json) => json.replace('"waitTimeout": 600', '"waitTimeout": 1'),
			});
			expect(itemsOf(run, 'Request Investigation')).toMatchObject([{ json: { success: true } }]);
			expect(bench.sandbox.investigations('us')).toMatchObject([
				{ comment: 'Attachment file0.bin of the mail <new@mail.example>: undecided' },
			]);
		});

		it('hands on what could not be released, and still releases other mail', async () => {
			const emails = heldEmails('SPM').slice(0, 2);
			bench.sandbox.faults.add({ path: 'release', status: 400 });
			const run = await runReleasing({
				items: emails.map((email) => mail(messageIdOf(email), ['clean'])),
			});
			expect(run.error).toBeUndefined();
			expect(itemsOf(run, 'Hand On')).toMatchObject([
				{ json: { error: expect.stringContaining('Could not release') as string } },
			]);
			expect(emails.map(stateOf)).toEqual(['quarantined', 'released']);
		});

		it.each([
			['release', 'Release', () => mail(messageIdOf(heldEmail('SPM')), ['clean'])],
			[
				'investigation',
				'Request Investigation',
				() => mail('<odd@mail.example>', [sampleLines.suspicious]),
			],
		] as const)(
			'hands on what the answer to the %s does not confirm',
			async (path, node, receivedMail) => {
				bench.sandbox.faults.add({
					path,
					status: 200,
					body: { json: { result: 'noted for later' } },
				});
				const run = await runReleasing({ items: [receivedMail()] });
				expect(itemsOf(run, node)).toMatchObject([{ json: { success: null } }]);
				expect(itemsOf(run, 'Hand On')).toMatchObject([{ json: { success: null } }]);
			},
		);

		it('is not stopped by a mail with a blank Message-ID', async () => {
			const email = heldEmail('SPM');
			const run = await runReleasing({
				items: [mail(' ', ['clean']), mail(messageIdOf(email), ['clean'])],
			});
			expect(run.error).toBeUndefined();
			expect(stateOf(email)).toBe('released');
		});

		it('hands on what could not be investigated, and still releases other mail', async () => {
			const email = heldEmail('SPM');
			bench.sandbox.faults.add({ path: 'investigation', status: 400 });
			const run = await runReleasing({
				items: [
					mail('<odd@mail.example>', [sampleLines.suspicious]),
					mail(messageIdOf(email), ['clean']),
				],
			});
			expect(run.error).toBeUndefined();
			expect(itemsOf(run, 'Hand On')).toMatchObject([
				{
					json: { error: expect.stringContaining('Could not request an investigation') as string },
					pairedItem: { item: 0 },
				},
			]);
			expect(stateOf(email)).toBe('released');
		});
	});

	it('scan-callback.json asks for a callback, and then the service for the verdict', async () => {
		const submitted = await bench.run('scan-callback.json', {
			startNode: 'Run',
			change: (json) => json.replace('https://www.example.com/', 'http://malware.example/'),
		});
		expect(submitted.error).toBeUndefined();
		const { path, headers, body } = await bench.firstReceived();
		expect(path).toBe('/webhook/scan-finished');
		expect(headers['x-scan-secret']).toBe('replace-this-secret');

		const callback = { headers, params: {}, query: {}, body: JSON.parse(body) as object };
		expect(callback.body).toMatchObject({ params: { ticket: 42 } });
		const finished = async (body: object) =>
			await bench.run('scan-callback.json', {
				startNode: 'Scan Finished',
				items: [{ json: { ...callback, body } }],
			});
		// A callback is not signed: what it says of the verdict is not believed.
		const run = await finished({ ...callback.body, verdict: 'CLN' });
		expect(itemsOf(run, 'Handle Others')).toMatchObject([
			{ json: { verdict: 'malicious', clean: false } },
		]);
		expect(runOf(run, 'Handle Clean')).toBeUndefined();
		const clean = bench.sandbox.scans('us').find(({ record }) => record.verbose_verdict === 'CLN')!;
		const harmless = await finished({ scan_id: clean.record.full_scan_id });
		expect(itemsOf(harmless, 'Handle Clean')).toHaveLength(1);
	});

	it('scan-callback.json lets n8n refuse callbacks without the secret header', () => {
		const webhook = readExample('scan-callback.json').nodes.find(
			({ name }) => name === 'Scan Finished',
		);
		expect(webhook?.parameters.authentication).toBe('headerAuth');
	});

	it('scan-file-and-url.json scans both to their verdict', async () => {
		const run = await bench.run('scan-file-and-url.json', { startNode: 'Run' });
		for (const node of ['Scan File', 'Scan URL']) {
			expect(itemsOf(run, node)[0].json).toMatchObject({
				status: 'finished',
				verdict: 'malicious',
				clean: false,
			});
		}
		expect(runOf(run, 'Let Through')).toBeUndefined();
		expect(itemsOf(run, 'Hold Back')[0].binary).toBeDefined();
	});

	it.each([
		['suspicious', 'suspicious', 'Hold Back'],
		['clean', 'clean', 'Let Through'],
	] as const)('scan-file-and-url.json sends a %s URL to the right', async (_, sample, end) => {
		const run = await bench.run('scan-file-and-url.json', {
			startNode: 'Run',
			change: (json) => json.replace('http://malware.example/download.exe', sampleUrls[sample]),
		});
		const ended = (run.nodes[end] ?? []).flatMap(({ outputs }) => outputs[0] ?? []);
		expect(ended.map(({ json }) => json.verdict)).toContain(sample);
	});
});
