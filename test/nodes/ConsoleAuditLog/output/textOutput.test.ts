import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { ConsoleAuditLog } from '../../../../nodes/ConsoleAuditLog/ConsoleAuditLog.node';
import { ConsoleAuditLogTrigger } from '../../../../nodes/ConsoleAuditLog/ConsoleAuditLogTrigger.node';
import { entryOutput } from '../../../../nodes/ConsoleAuditLog/output/entryOutput';
import { identified } from '../../../../nodes/ConsoleAuditLog/reading/entryIdentity';
import { USUAL_FIELDS } from '../../../../services/console/auditLogEntry';

const ENTRIES = [
	{ auditlogId: 'a', createdAt: '2026-01-31T12:00:00.123Z', action: 'sign in' },
	{
		auditlogId: 'b',
		createdAt: '2026-01-31T12:00:01.000Z',
		action: 'he said "{time}"\n$& {entry}',
	},
	{ auditlogId: 'c', action: 'no time' },
];

async function textOf(
	entries: IDataObject[],
	template: unknown = '{entry}',
	options: IDataObject = {},
): Promise<IDataObject[]> {
	const output = entryOutput(
		{
			output: 'text',
			lineTemplate: () => template,
			options,
		},
		USUAL_FIELDS,
	);
	return await output.items(identified(entries, USUAL_FIELDS));
}

const lines = async (entries: IDataObject[], template?: string) =>
	String((await textOf(entries, template))[0].text)
		.split('\n')
		.slice(0, -1);

it.each(['items', 'text'])('without event keys, asks for no identity: %s', async (output) => {
	const asked = {
		entry: ENTRIES[0],
		get identity(): never {
			throw new Error('asked');
		},
	};
	const make = async (options: IDataObject) =>
		await entryOutput(
			{ output, lineTemplate: () => '{time} {entry}', options },
			USUAL_FIELDS,
		).items([asked]);
	expect(await make({})).toHaveLength(1);
	await expect(make({ includeEventKey: true })).rejects.toThrow('asked');
});

describe('the output Text', () => {
	it('is one item with a line of JSON for each entry, each ended by a newline', async () => {
		expect(await textOf(ENTRIES)).toEqual([
			{
				text: ENTRIES.map((entry) => `${JSON.stringify(entry)}\n`).join(''),
				count: 3,
				from: '2026-01-31T12:00:00.123Z',
				to: null,
			},
		]);
	});

	it('serves Elasticsearch with the same key as Include Event Key', async () => {
		const [first] = await textOf(
			ENTRIES.slice(0, 1),
			'{"create":{"_id":"{eventKey}"}}\n{entry}\n',
			{
				includeEventKey: true,
			},
		);
		const [action, entry, end] = String(first.text).split('\n');
		expect(JSON.parse(entry)).toMatchObject({
			auditlogId: 'a',
			eventKey: JSON.parse(action).create._id,
		});
		expect(end).toBe('');
	});

	it('serves Splunk with the time in seconds, or null where there is none', async () => {
		const events = (await lines(ENTRIES, '{"event":{entry},"time":{epoch}}')).map((line) =>
			JSON.parse(line),
		);
		expect(events.map(({ time }) => time)).toEqual([1769860800.123, 1769860801, null]);
		expect(events.map(({ event }) => event)).toEqual(ENTRIES);
	});

	it.each(['constructor', '__proto__', 'valueOf'])('writes %s as it stands', async (word) => {
		expect(await lines([{ auditlogId: 'a' }], `${word}{entry}`)).toEqual([
			`${word}{"auditlogId":"a"}`,
		]);
	});

	it('gives {time} as the console wrote it, safe inside quotes', async () => {
		const entries = [
			{ createdAt: 'x"y' },
			{ createdAt: 5 },
			{ createdAt: null },
			{ createdAt: {} },
		];
		expect((await lines(entries, '{"t":"{time}"}')).map((line) => JSON.parse(line).t)).toEqual([
			'x"y',
			'5',
			'',
			'',
		]);
	});

	it('ends each line once, however the template ends', async () => {
		const [{ text }] = await textOf(ENTRIES.slice(0, 1), '{eventKey}\r\n\r\n');
		expect(text).toMatch(/^[0-9a-f]{32}\n$/);
	});

	it.each([
		['{user}', '{user}'],
		['{entry} {actor.email}', '{actor.email}'],
		['{"id":"{event_key}","event":{entry}}', '{event_key}'],
		['{ entry } {time}', '{ entry }'],
		['{Entry}{entry}', '{Entry}'],
		['{event-key} {entry}', '{event-key}'],
		['{{ $json.user }} {entry}', '{{ $json.user }}'],
		['{entry} {{ DateTime.now() }}', '{{ DateTime.now() }}'],
		['{{JSON.stringify($json)}} {entry}', '{{JSON.stringify($json)}}'],
		['{entry} {{ ($json.a) }}', '{{ ($json.a) }}'],
		['{{ entry }}', '{{ entry }}'],
		['{{entry}}', '{{entry}}'],
	])('refuses the template %j, in which %s is no placeholder', async (template, unknown) => {
		await expect(textOf(ENTRIES, template)).rejects.toThrow(
			`In 'Line Template', "${unknown}" is not a placeholder`,
		);
	});

	it.each([
		'{}{entry}',
		'{"a":{"b":1},"c":{entry}}',
		'{host="x"} {entry}',
		'{0}{entry}',
		'{"index":"logs-{now/d}"} {entry}',
		'{"index":"logs-\\u007bnow}"} {entry}',
		'{a{entry}b}',
	])('takes the braces of %j for its own', async (template) =>
		expect(await textOf(ENTRIES, template)).not.toHaveLength(0),
	);

	it.each([
		'{"event":{entry},"time":{epoch}',
		'{"event":"{entry}"}',
		'{"event":{entry},"time":{time}}',
		'{"event":{entry},}',
		'{"create":{"_id":{eventKey}}}\n{entry}',
		' { "event" {entry} }',
		'{"tags":[{"a":1} {"b":2}],"event":{entry}}',
		'{"event":[{entry}{entry}]}',
		'{"a":1}, {"event":{entry}}',
	])('refuses the template %j, which makes no valid JSON', async (template) => {
		await expect(textOf(ENTRIES, template)).rejects.toThrow(
			"'Line Template' makes no valid JSON: ",
		);
	});

	it.each([
		'{"event":\n{entry},\n"time":{epoch}}',
		'{"key":"{eventKey}"}\t{entry}',
		'{"event":{entry}}{"event":"{eventKey}"}',
		'{entry} sent',
		`${'{"a":1} '.repeat(20_000)}{entry}`,
		'<13>{time} console: {entry}',
		'{"create":{}}\nentry {entry}',
		'[{entry}]',
	])('takes the template %j', async (template) =>
		expect(await textOf(ENTRIES, template)).not.toHaveLength(0),
	);

	it.each(['', '   ', null, 'a line'])(
		'refuses the template %j, which has no placeholder',
		async (template) => {
			await expect(textOf(ENTRIES, template)).rejects.toThrow("'Line Template' has no placeholder");
		},
	);

	it.each([0, -1, '', 'big', true, [5]])('refuses a Max Text Size of %j', async (maxTextSize) => {
		await expect(textOf(ENTRIES, '{entry}', { maxTextSize })).rejects.toThrow(
			"'Max Text Size (MB)'",
		);
	});

	it.each([
		['items', 0.02, 1],
		['text', 5, 1],
		['text', 0.131072, 1],
		['text', 0.065536, 0.5],
		['text', 0.001, 0.125],
	])(
		'of %s of %d MB each, %d of a batch leaves at once: n8n stores long texts slowly',
		(output, maxTextSize, share) => {
			const entered = { output, lineTemplate: () => '{entry}', options: { maxTextSize } };
			expect(entryOutput(entered, USUAL_FIELDS).share).toBeCloseTo(share, 3);
		},
	);

	it('refuses another kind of output', () => {
		const entered = { output: 'csv', lineTemplate: () => '{entry}', options: {} };
		expect(() => entryOutput(entered, USUAL_FIELDS)).toThrow("'Output' is not one of its options");
	});

	it('is nothing for no entries', async () => expect(await textOf([])).toEqual([]));

	it('splits by size and loses nothing, whatever the entries hold', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(fc.dictionary(fc.string(), fc.jsonValue())),
				fc.integer({ min: 1, max: 300 }),
				async (entries, bytes) => {
					const items = await textOf(entries as IDataObject[], '{entry}', {
						maxTextSize: bytes / 1e6,
					});
					const whole = items.map(({ text }) => text).join('');
					expect(whole).toBe(entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
					expect(items.reduce((sum, { count }) => sum + Number(count), 0)).toBe(entries.length);
					for (const { text, count } of items) {
						expect(count === 1 || Buffer.byteLength(String(text)) <= bytes).toBe(true);
					}
				},
			),
		);
	});
});

it('the output Items is the entries as they are', async () => {
	const output = entryOutput(
		{ output: 'items', lineTemplate: () => '{entry}', options: {} },
		USUAL_FIELDS,
	);
	const made = await output.items(identified(ENTRIES, USUAL_FIELDS));
	expect(made).toEqual(ENTRIES);
	expect(made[0]).toBe(ENTRIES[0]);
});

it.each(['items', 'text'])('leaves time for other work before each entry: %s', async (output) => {
	const begun: number[] = [];
	let made = 0;
	const entries = ENTRIES.map((entry) => ({
		entry,
		get identity() {
			made++;
			return { value: 1, hasId: true };
		},
	}));
	const settings = { output, lineTemplate: () => '{entry}', options: { includeEventKey: true } };
	await entryOutput(settings, USUAL_FIELDS).items(entries, async () => void begun.push(made));
	expect(begun).toEqual([0, 1, 2]);
});

it.each([new ConsoleAuditLog(), new ConsoleAuditLogTrigger()])(
	"the form of $description.name offers no expression in 'Line Template'",
	({ description }) => {
		const fields = description.properties.filter(({ name }) => name === 'lineTemplate');
		expect(fields).toMatchObject([{ noDataExpression: true }]);
	},
);
