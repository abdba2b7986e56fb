import type { JsonObject } from '../../sandbox/jsonValue.cts';
import { read } from '../docs/shownTexts.cts';
import type { WorkflowJson } from '../support/engine/runWorkflow.cts';
import { readBinary } from '../support/engine/runWorkflow.cts';
import { BulkIndex } from '../support/bulkIndex.cts';
import { EventCollector } from '../support/eventCollector.cts';
import { ExampleBench, itemsOf } from '../support/exampleBench.cts';

/** The examples with the console's audit log, run in n8n's engine. */

describe('in the engine', () => {
	let bench: ExampleBench;

	beforeEach(async () => (bench = await ExampleBench.open()));

	afterEach(async () => await bench.close());

	const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();

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
			const options = { items, authorization: BulkIndex.authorization };
			const runs = [
				await bench.run('audit-log-to-elasticsearch.json', options),
				await bench.run('audit-log-to-elasticsearch.json', options),
			];

			expect(runs.map(({ error }) => error)).toEqual([undefined, undefined]);
			expect(bench.receiver.received).toHaveLength(2);
			expect([...index.documents.values()]).toEqual(entries);
		});

		it('audit-log-to-splunk.json sends all entries in one request', async () => {
			const collector = new EventCollector();
			bench.receiver.answer = (call) => collector.answer(call);
			const items = await bench.polled('audit-log-to-splunk.json', entries);
			const { authorization } = EventCollector;
			const run = await bench.run('audit-log-to-splunk.json', { items, authorization });

			expect(run.error).toBeUndefined();
			expect(bench.receiver.received).toHaveLength(1);
			expect(collector.events.map(({ event }) => event)).toEqual(entries);
			expect(collector.events[0].time).toBe(Date.parse(String(entries[0].createdAt)) / 1000);
			const keys = collector.events.map(({ fields }) => JSON.stringify(fields));
			expect(keys[0]).toMatch(/^\{"eventKey":"[0-9a-f]{32}"\}$/);
			expect(new Set(keys).size).toBe(count);
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
		const { authorization } = BulkIndex;
		const run = await bench.run('audit-log-to-elasticsearch.json', { items, authorization });

		expect(run.error?.message).toContain('Elasticsearch refused 1 of 2 entries');
		expect(run.error?.message).toContain('document_parsing_exception');
	});

	it('audit-log-to-elasticsearch.json fails where the second text of a batch has a refused entry', async () => {
		const index = new BulkIndex((document) => 'bad' in document);
		bench.receiver.answer = (call) => index.answer(call);
		const createdAt = new Date().toISOString();
		const file = 'audit-log-to-elasticsearch.json';
		const items = [
			{ text: '{"create":{"_id":"a"}}\n{"auditlogId":"a"}\n' },
			...(await bench.polled(file, [{ auditlogId: 'b', createdAt, bad: true }])),
		];
		const run = await bench.run(file, { items, authorization: BulkIndex.authorization });

		expect(bench.receiver.received).toHaveLength(2);
		expect(run.error?.message).toContain('Elasticsearch refused 1 of 1 entries');
	});

	it('the expression for Microsoft Sentinel makes a JSON array of the entries', async () => {
		const [, body] = /expression `([^`]+)`/.exec(read('docs/audit-log.md'))!;
		const entries = [1, 2].map((number) => ({
			auditlogId: `entry ${number}`,
			createdAt: new Date().toISOString(),
			detail: 'a "quoted" text\nof two lines',
		}));
		const file = 'audit-log-to-splunk.json';
		const toSentinel = (json: string) => {
			const workflow = JSON.parse(json) as WorkflowJson;
			const { parameters } = workflow.nodes.find(({ name }) => name === 'Send to Splunk')!;
			const asJson = { contentType: 'json', specifyBody: 'json', jsonBody: `=${body}` };
			Object.assign(parameters, asJson);
			return JSON.stringify(workflow);
		};
		const text = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
		await bench.run(file, {
			items: [{ text }],
			change: toSentinel,
			authorization: 'x',
		});

		expect(bench.bodies()).toEqual([entries]);
	});

	/** n8n tries again, which takes time. */
	const once = (json: string) => json.replace('"retryOnFail": true', '"retryOnFail": false');

	describe('audit-log-to-splunk.json', () => {
		const splunk = 'audit-log-to-splunk.json';
		const withTime = () => ({ auditlogId: 'a', createdAt: hoursAgo(0) });
		let collector: EventCollector;

		beforeEach(() => {
			collector = new EventCollector();
			bench.receiver.answer = (call) => collector.answer(call);
		});

		it('fails where the token is wrong', async () => {
			const items = await bench.polled(splunk, [withTime()]);
			const options = { items, change: once, authorization: 'Splunk other' };
			const run = await bench.run(splunk, options);

			expect(run.status).toBe('error');
			expect(collector.events).toEqual([]);
		});

		it('fails where one event is refused, here one without a time', async () => {
			const items = await bench.polled(splunk, [withTime(), { auditlogId: 'b' }]);
			const { authorization } = EventCollector;
			const run = await bench.run(splunk, { items, change: once, authorization });

			expect(String(items[0].text)).toContain('"time":null');
			expect(run.status).toBe('error');
		});
	});

	it.each([
		['audit-log-to-elasticsearch.json', 'Elasticsearch refused the entries'],
		['audit-log-to-splunk.json', 'Splunk did not accept the entries'],
	])('%s fails where something else answers 200', async (file, message) => {
		bench.receiver.answer = () => ({ status: 200, json: { hello: 'proxy' } });
		const items = [{ text: '{}\n', count: 1 }];
		const run = await bench.run(file, { items, authorization: 'x' });

		expect(run.error?.message).toContain(message);
	});

	it.each([
		[{ items: [] }, 'refused the entries'],
		[{ items: [null] }, 'refused 1 of 1 entries'],
		[
			{ items: [{ create: { status: 201 } }, { index: { status: 201 } }] },
			'refused 1 of 2 entries',
		],
	])(
		'audit-log-to-elasticsearch.json fails where the answer tells of no entry: %j',
		async (json, message) => {
			bench.receiver.answer = () => ({ status: 200, json });
			const items = [{ text: '{}\n', count: 1 }];
			const file = 'audit-log-to-elasticsearch.json';
			const run = await bench.run(file, { items, authorization: 'x' });

			expect(run.error?.message).toContain(message);
		},
	);

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
		expect(bench.bodies()).toEqual([
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
			// An entry that is dated ahead is no sign of life.
			bench.sandbox.append([{ entry: { createdAt: hoursAgo(-24) } }]);
			await bench.run(watchdog, hourly);
			expect(bench.bodies()).toEqual([
				{ text: "The console's audit log has been silent for too long." },
			]);
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
			expect(bench.bodies()).toEqual([
				{ text: 'The workflow "Feed" ended with an error: of the node' },
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

	it('console-audit-log-to-workflow.json hands the entries on', async () => {
		const entries = [{ auditlogId: 'a', createdAt: new Date().toISOString() }];
		const items = await bench.polled('console-audit-log-to-workflow.json', entries);
		const run = await bench.run('console-audit-log-to-workflow.json', { items });
		expect(itemsOf(run, 'Hand On').map(({ json }) => json)).toEqual(entries);
	});
});
