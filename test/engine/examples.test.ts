import type { INode } from 'n8n-workflow';
import { eicarTestFile, sampleUrls } from '../../sandbox/fixtures/samples.cts';
import type { JsonObject } from '../../sandbox/jsonValue.cts';
import { parameterFaults } from '../../scripts/examples/parameterFaults.cts';
import { readBinary } from '../support/engine/runWorkflow.cts';
import { BulkIndex, EventCollector } from '../support/siem.cts';
import {
	ExampleBench,
	exampleFiles,
	itemsOf,
	nodeDescription,
	readExample,
	runOf,
} from '../support/exampleBench.cts';

const STICKY_NOTE = 'n8n-nodes-base.stickyNote';
const isOurs = ({ type }: INode) => type.startsWith('n8n-nodes-content-scan.');
const isNote = ({ type }: INode) => type === STICKY_NOTE;

describe.each(exampleFiles())('%s', (file) => {
	const { name, nodes, connections } = readExample(file);

	it('has a name, and a note that begins with a heading', () => {
		expect(name).toBeTruthy();
		const notes = nodes.filter(isNote).map(({ parameters }) => String(parameters.content));
		expect(notes).toEqual([expect.stringMatching(/^## .+\n./)]);
	});

	it('has nodes of this package, with parameters and values that exist', async () => {
		const ours = nodes.filter(isOurs);
		expect(ours.length).toBeGreaterThan(0);
		for (const node of ours) {
			expect(parameterFaults(node, await nodeDescription(node))).toEqual([]);
		}
	});

	it('gives every node a name and an ID of its own', () => {
		expect(new Set(nodes.map((node) => node.name)).size).toBe(nodes.length);
		expect(new Set(nodes.map(({ id }) => id)).size).toBe(nodes.length);
	});

	it('connects outputs that exist, and leaves no node aside', async () => {
		const fed = new Set<string>();
		for (const [source, { main }] of Object.entries(connections)) {
			const node = nodes.find((one) => one.name === source)!;
			const { outputs } = await nodeDescription(node);
			expect(main.length).toBeLessThanOrEqual(outputs.length);
			for (const link of main.flatMap((links) => links ?? [])) {
				expect(link).toEqual({ node: link.node, type: 'main', index: 0 });
				fed.add(link.node);
			}
		}
		const unfed: string[] = [];
		for (const node of nodes.filter((one) => !isNote(one))) {
			const { group } = await nodeDescription(node);
			if (!group.includes('trigger') && !fed.has(node.name)) unfed.push(node.name);
		}
		expect(unfed).toEqual([]);
		expect(nodes.map((node) => node.name)).toEqual(expect.arrayContaining([...fed]));
	});

	it('names credentials without their ids, and holds no address of a real owner', () => {
		const credentials = nodes.flatMap((node) => Object.values(node.credentials ?? {}));
		for (const credential of credentials) expect(Object.keys(credential)).toEqual(['name']);
		const hosts = JSON.stringify(nodes).matchAll(/https?:\/\/([^/"\\ ]+)/g);
		for (const [, host] of hosts) expect(host).toMatch(/(^|\.)example(\.com)?$/);
	});
});

describe('in the engine', () => {
	let bench: ExampleBench;

	beforeEach(async () => (bench = await ExampleBench.open()));

	afterEach(async () => await bench.close());

	const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
	const bodies = () => bench.receiver.received.map(({ body }) => JSON.parse(body) as object);

	describe.each([1, 250])('with %i entries', (count) => {
		let entries: JsonObject[];

		beforeEach(() => {
			const createdAt = new Date().toISOString();
			entries = Array.from({ length: count }, (_, index) => ({
				auditlogId: `entry ${index}`,
				createdAt,
				detail: 'a "quoted" text\nof two lines',
			}));
		});

		it('audit-log-to-elasticsearch.json stores each entry once, also when it is sent again', async () => {
			const index = new BulkIndex();
			bench.receiver.answer = (call) => index.answer(call);
			const items = await bench.polled('audit-log-to-elasticsearch.json', entries);
			const runs = [
				await bench.run('audit-log-to-elasticsearch.json', { items }),
				await bench.run('audit-log-to-elasticsearch.json', { items }),
			];

			expect(runs.map(({ error }) => error)).toEqual([undefined, undefined]);
			expect(bench.receiver.received).toHaveLength(2);
			expect([...index.documents.values()]).toEqual(entries);
		});

		it('audit-log-to-splunk.json sends all entries in one request', async () => {
			const collector = new EventCollector();
			bench.receiver.answer = (call) => collector.answer(call);
			const items = await bench.polled('audit-log-to-splunk.json', entries);
			const run = await bench.run('audit-log-to-splunk.json', { items });

			expect(run.error).toBeUndefined();
			expect(bench.receiver.received).toHaveLength(1);
			expect(collector.events.map(({ event }) => event)).toEqual(entries);
			expect(collector.events[0].time).toBe(Date.parse(String(entries[0].createdAt)) / 1000);
			expect(new Set(collector.events.map(({ fields }) => fields.eventKey)).size).toBe(count);
		});
	});

	it('audit-log-to-elasticsearch.json fails on an entry that is refused within an answer 200', async () => {
		const index = new BulkIndex((document) => 'bad' in document);
		bench.receiver.answer = (call) => index.answer(call);
		const createdAt = new Date().toISOString();
		const items = await bench.polled('audit-log-to-elasticsearch.json', [
			{ auditlogId: 'a', createdAt },
			{ auditlogId: 'b', createdAt, bad: true },
		]);
		const run = await bench.run('audit-log-to-elasticsearch.json', { items });

		expect(run.error?.message).toContain('Elasticsearch refused 1 of 2 entries');
		expect(run.error?.message).toContain('document_parsing_exception');
	});

	it.each([
		['audit-log-to-elasticsearch.json', 'Elasticsearch refused the entries'],
		['audit-log-to-splunk.json', 'Splunk did not accept the entries'],
	])('%s fails where something else answers 200', async (file, message) => {
		bench.receiver.answer = () => ({ status: 200, json: { hello: 'proxy' } });
		const items = [{ text: '{}\n', count: 1 }];
		const run = await bench.run(file, { items });

		expect(run.error?.message).toContain(message);
	});

	it('alert-on-audit-entries.json reports the entries with one of the values', async () => {
		const run = await bench.run('alert-on-audit-entries.json', {
			items: [
				{ createdAt: '2026-06-01T00:00:00.000Z', action: 'user.remove' },
				{ action: 'login' },
				{ other: 1 },
				{ action: ['policy.update'] },
			],
		});

		expect(run.error).toBeUndefined();
		expect(bodies()).toEqual([
			{
				text: 'Console audit log, 2026-06-01T00:00:00.000Z: {"createdAt":"2026-06-01T00:00:00.000Z","action":"user.remove"}',
			},
		]);
	});

	it('alert-on-audit-entries.json sends mail where that is chosen', async () => {
		const run = await bench.run('alert-on-audit-entries.json', {
			items: [{ action: 'user.remove' }],
			change: (json) => json.replace('"disabled": true', '"disabled": false'),
		});

		expect(itemsOf(run, 'Mail')[0].json).toMatchObject({
			subject: 'Console audit log: user.remove',
			text: expect.stringContaining('"action": "user.remove"') as string,
		});
	});

	it('console-usage-report.json counts the entries of last week by member and kind', async () => {
		const lastWeek = new Date(Date.now() - 7 * 86_400_000).toISOString();
		const entry = (email: string, action: string, createdAt = lastWeek) => ({
			entry: { createdAt, action, actor: { email } },
		});
		bench.sandbox.append([
			entry('ann@member.example', 'login'),
			entry('ann@member.example', 'login'),
			entry('bob@member.example', 'login'),
			entry('bob@member.example', 'logout', new Date().toISOString()),
		]);
		const run = await bench.run('console-usage-report.json');

		expect(run.error).toBeUndefined();
		const [mail] = itemsOf(run, 'Mail the Report');
		expect(mail.json.options).toMatchObject({ attachments: 'data' });
		expect((await readBinary(mail.binary!.data)).toString()).toBe(
			[
				'\ufeffcount_createdAt,action,actor_email',
				'2,login,ann@member.example',
				'1,login,bob@member.example',
			].join('\n'),
		);
	});

	describe('audit-log-watchdog.json', () => {
		const watchdog = 'audit-log-watchdog.json';
		const hourly = { startNode: 'Every Hour' };

		it('is quiet while there are entries', async () => {
			bench.sandbox.append([{ entry: { createdAt: hoursAgo(1) } }]);
			const run = await bench.run(watchdog, hourly);
			expect(run.status).toBe('success');
			expect(bench.receiver.received).toEqual([]);
		});

		it('reports silence', async () => {
			bench.sandbox.append([{ entry: { createdAt: hoursAgo(7) } }]);
			await bench.run(watchdog, hourly);
			expect(bodies()).toEqual([{ text: "The console's audit log has been silent for too long." }]);
		});

		it('ends with an error when the console cannot be read, so that n8n starts its Error Trigger', async () => {
			bench.sandbox.faults.add({ service: 'console', times: null, status: 401 });
			const noWaiting = (json: string) =>
				json.replace('"retryOnFail": true', '"retryOnFail": false');
			const run = await bench.run(watchdog, { ...hourly, change: noWaiting });
			expect(run.status).toBe('error');
			expect(bench.receiver.received).toEqual([]);
		});

		it.each([
			['an execution', { execution: { error: { message: 'of the node' } } }],
			['a trigger', { trigger: { error: { message: 'of the node' } } }],
		])('reports the error of %s', async (_, where) => {
			await bench.run(watchdog, {
				startNode: 'Ended with an Error',
				items: [{ ...where, workflow: { name: 'Feed' } }],
			});
			expect(bodies()).toEqual([{ text: 'The workflow "Feed" ended with an error: of the node' }]);
		});
	});

	it('alert-on-malicious-scans.json sends one message for each scan with a bad verdict', async () => {
		const file = 'alert-on-malicious-scans.json';
		const items = await bench.polledScans(file, [{}, { verdict: 'CLN' }, { verdict: 'XYZ' }]);
		const run = await bench.run(file, { items });

		expect(run.error).toBeUndefined();
		expect(bodies()).toEqual(
			['malicious', 'XYZ'].map((verdict) => ({
				text: expect.stringMatching(
					new RegExp(`^Scan finished: ${verdict}, Message \\d+, from sender\\S+ \\(\\S+\\)$`),
				) as string,
			})),
		);
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
		const heldEmail = (verdict: string) =>
			bench.sandbox
				.scans('us')
				.map(
					({ record }) => record as Record<string, unknown> & { sample: Record<string, unknown> },
				)
				.find(
					(record) =>
						record.verbose_verdict === verdict &&
						record.quarantine_state === 'quarantined' &&
						record.organization_id !== '1004',
				)!;
		const messageIdOf = (email: ReturnType<typeof heldEmail>) =>
			String(email.sample.original_message_id);
		const stateOf = (email: ReturnType<typeof heldEmail>) =>
			bench.sandbox.scans('us').find(({ record }) => record.full_scan_id === email.full_scan_id)!
				.record.quarantine_state;

		it('releases an email held as spam when all its attachments are clean', async () => {
			const email = heldEmail('SPM');
			const run = await bench.run(example, { items: [mail(messageIdOf(email), ['one', 'two'])] });
			expect(run.error).toBeUndefined();
			expect(itemsOf(run, 'Release')).toMatchObject([
				{ json: { scanId: email.full_scan_id, success: true } },
			]);
			expect(stateOf(email)).toBe('released');
		});

		it('releases nothing when one attachment is malicious, and hands that one on', async () => {
			const email = heldEmail('SPM');
			const run = await bench.run(example, {
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
			await bench.run(example, { items: [mail(messageIdOf(email), ['clean'])] });
			expect(stateOf(email)).toBe('quarantined');
		});

		it('releases nothing for mail without a Message-ID, or with an attachment that was not scanned, which is handed on', async () => {
			const email = heldEmail('SPM');
			const run = await bench.run(example, {
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
			const run = await bench.run(example, {
				items: [mail('<new@mail.example>', ['slow'])],
				change: (json) => json.replace('"waitTimeout": 600', '"waitTimeout": 1'),
			});
			expect(itemsOf(run, 'Request Investigation')).toMatchObject([{ json: { success: true } }]);
			expect(bench.sandbox.investigations('us')).toMatchObject([
				{ comment: 'Attachment file0.bin of the mail <new@mail.example>: undecided' },
			]);
		});
	});

	it('nightly-audit-log-export.json writes the entries of yesterday to one file', async () => {
		const day = 86_400_000;
		const today = Math.floor(Date.now() / day) * day;
		const times = [today - day - 1, today - day, today - 1, today].map((time) =>
			new Date(time).toISOString(),
		);
		bench.sandbox.append(times.map((createdAt) => ({ entry: { createdAt } })));
		const inUtc = (json: string) =>
			json.replace('"executionOrder": "v1"', '"executionOrder": "v1", "timezone": "UTC"');
		const run = await bench.run('nightly-audit-log-export.json', { change: inUtc });

		expect(run.error).toBeUndefined();
		const [{ json, binary }] = itemsOf(run, 'Write File');
		expect(json.fileName).toBe(`/home/node/.n8n-files/audit-log-${times[1].slice(0, 10)}.json`);
		expect(JSON.parse((await readBinary(binary!.data)).toString())).toEqual(
			times.slice(1, 3).map((createdAt) => ({ createdAt })),
		);
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

	it('console-audit-log-to-workflow.json hands the entries on', async () => {
		const entries = [{ auditlogId: 'a', createdAt: new Date().toISOString() }];
		const items = await bench.polled('console-audit-log-to-workflow.json', entries);
		const run = await bench.run('console-audit-log-to-workflow.json', { items });
		expect(itemsOf(run, 'Hand On').map(({ json }) => json)).toEqual(entries);
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
