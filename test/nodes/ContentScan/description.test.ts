import type { INodeProperties, INodePropertyOptions, INodeTypes } from 'n8n-workflow';
import { Workflow } from 'n8n-workflow';
import consoleCodex from '../../../nodes/ConsoleAuditLog/ConsoleAuditLog.node.json';
import codex from '../../../nodes/ContentScan/ContentScan.node.json';
import { ContentScan } from '../../../nodes/ContentScan/ContentScan.node';
import { operationFor } from '../../../nodes/ContentScan/actions/operations';
import { node } from './support/fakeService';

const { description } = new ContentScan();
const { properties } = description;

const operations = properties
	.filter(({ name }) => name === 'operation')
	.flatMap(({ displayOptions, options }) =>
		((options ?? []) as INodePropertyOptions[]).map((option) => ({
			resource: String(displayOptions?.show?.resource?.[0]),
			...option,
		})),
	);

function fieldsOf(resource: string, operation: string): INodeProperties[] {
	return properties.filter(
		({ displayOptions }) =>
			displayOptions?.show?.resource?.includes(resource) &&
			displayOptions.show.operation?.includes(operation),
	);
}

/** Every parameter, those inside collections included. */
function everyField(fields: INodeProperties[]): INodeProperties[] {
	return fields.flatMap((field) => [
		field,
		...(field.type === 'collection' ? everyField(field.options as INodeProperties[]) : []),
	]);
}

describe('the description of the node', () => {
	it.each(operations)('$resource:$value has a program, fields, an action and a preview', (one) => {
		const { resource, value, action } = one;
		expect(operationFor(resource, String(value))).toBeInstanceOf(Function);
		expect(fieldsOf(resource, String(value)).length).toBeGreaterThan(0);
		expect(action).toBeTruthy();
		const schema = jest.requireActual<Record<string, unknown>>(
			`../../../nodes/ContentScan/__schema__/v1.0.0/${resource}/${String(value)}.json`,
		);
		expect(schema).toMatchObject({ type: 'object', version: 1, properties: expect.any(Object) });
	});

	it('has the operations that saved workflows rely on', () => {
		expect(
			operations.map(({ resource, value }) => `${resource}:${String(value)}`).sort(),
		).toStrictEqual([
			'email:release',
			'scan:changeVerdict',
			'scan:get',
			'scan:getAll',
			'scan:requestInvestigation',
			'scan:scanFile',
			'scan:scanUrl',
		]);
	});

	it.each([
		[
			'scan',
			'scanFile',
			[
				...['fileSource', 'inputDataFieldName', 'downloadLink'],
				...['waitForVerdict', 'simplify', 'options'],
			],
		],
		['scan', 'scanUrl', ['url', 'waitForVerdict', 'simplify', 'options']],
		['scan', 'get', ['scanId', 'simplify', 'options']],
		['scan', 'getAll', ['returnAll', 'limit', 'simplify', 'filters', 'options']],
		['scan', 'changeVerdict', ['scanId', 'verdict', 'reason', 'options']],
		['scan', 'requestInvestigation', ['scanId', 'expectedVerdict', 'comment', 'options']],
		['email', 'release', ['scanId', 'options']],
	])('%s:%s keeps its parameters', (resource, operation, names) => {
		const present = fieldsOf(resource, operation).map(({ name }) => name);
		expect(present).toStrictEqual(expect.arrayContaining(names));
	});

	it('offers waiting, callbacks and pacing in the options, in alphabetical order', () => {
		const options = fieldsOf('scan', 'scanFile').find(({ name }) => name === 'options')!
			.options as INodeProperties[];
		const labels = options.map(({ displayName }) => displayName);
		expect(labels).toStrictEqual([...labels].sort((a, b) => a.localeCompare(b)));
		expect(options.map(({ name }) => name)).toStrictEqual(
			expect.arrayContaining([
				'includeInput',
				'waitTimeout',
				'onTimeout',
				'callbackUrl',
				'callbackParams',
				'callbackHeaders',
				'fileName',
				'filePassword',
				'storage',
				'concurrency',
				'queueTimeout',
			]),
		);
	});

	it('lets Enter pick a scan, and no operation that changes something', () => {
		expect(operations[0]).toMatchObject({ resource: 'scan', value: 'scanFile' });
		const [resource] = properties.filter(({ name }) => name === 'resource');
		expect(resource.options?.[0]).toMatchObject({ value: 'scan' });
	});

	it('waits for the verdict and fails without one, unless the user says otherwise', () => {
		for (const operation of ['scanFile', 'scanUrl']) {
			const fields = fieldsOf('scan', operation);
			expect(fields.find(({ name }) => name === 'waitForVerdict')).toMatchObject({ default: true });
			const options = everyField(fields).find(({ name }) => name === 'onTimeout');
			expect(options).toMatchObject({ default: 'error' });
		}
	});

	it.each([
		[{ operation: 'scanFile' }, 'Scan file, wait for verdict'],
		[{ operation: 'scanUrl', waitForVerdict: true }, 'Scan URL, wait for verdict'],
		[{ operation: 'scanUrl', waitForVerdict: false }, 'Scan URL, without waiting'],
		[{ operation: 'get' }, 'Get scan'],
		[{ resource: 'email', operation: 'release' }, 'Release email'],
	])('shows on the canvas what %j does, and whether it waits', (parameters, subtitle) => {
		const nodeTypes = { getByNameAndVersion: () => new ContentScan() } as unknown as INodeTypes;
		const nodes = [{ ...node, parameters }];
		const workflow = new Workflow({ nodes, connections: {}, active: false, nodeTypes });
		const shown = workflow.expression.getSimpleParameterValue(
			workflow.nodes[node.name],
			description.subtitle,
			'internal',
			{},
		);
		expect(shown).toBe(subtitle);
	});

	it('has no verdict and no reason that could be sent unseen', () => {
		const fields = fieldsOf('scan', 'changeVerdict');
		for (const name of ['verdict', 'reason']) {
			const field = fields.find((one) => one.name === name);
			expect(field).toMatchObject({ default: '', required: true });
		}
	});

	it('gives units in the labels of times', () => {
		for (const field of everyField(properties)) {
			if (field.type !== 'number' || !/time/i.test(field.displayName)) continue;
			expect(field.displayName).toMatch(/\((Seconds|Minutes|Hours)\)$/);
		}
	});

	it('explains every field, and its default where it is optional', () => {
		for (const field of everyField(properties)) {
			if (['notice', 'hidden'].includes(field.type)) continue;
			if (['resource', 'operation'].includes(field.name)) continue;
			if (field.type === 'collection' && field.name === 'options') continue;
			expect([field.name, field.description]).toStrictEqual([field.name, expect.any(String)]);
		}
		const optional = everyField(properties).filter(({ name }) => name === 'options');
		for (const field of optional.flatMap(({ options }) => options as INodeProperties[])) {
			expect(field.description).toMatch(/default|off by/i);
		}
	});

	it('can be found, or the console’s node, by what users type', () => {
		const words = (aliases: string[]) => aliases.map((alias) => alias.toLowerCase());
		expect(words(codex.alias)).toEqual(
			expect.arrayContaining([
				...['malware', 'phishing', 'scan url', 'url scan', 'scan file', 'link', 'threat'],
				...['email security', 'fortinet', 'fortimail', 'virus', 'edr', 'soar', 'x-ray'],
			]),
		);
		expect(words(consoleCodex.alias)).toEqual(expect.arrayContaining(['siem', 'audit', 'login']));
		expect(codex.node).toBe(`n8n-nodes-content-scan.${description.name}`);
	});

	it('asks a language model for nothing that it cannot know', () => {
		expect(description.usableAsTool).toBe(true);
		expect(description.credentials).toStrictEqual([{ name: 'contentScanApi', required: true }]);
	});
});
