import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
	INodeType,
	NodeParameterValueType,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { onePerProcess } from './outsideJest.cts';

/**
 * Stand-ins for the nodes of n8n-nodes-base that the examples use. Each reads the parameters of the
 * real one, and does what the examples need of it and no more: mail is not sent and no file written,
 * what would have been is put out instead. Whether the real nodes know these parameters is checked
 * where n8n is installed (scripts/examples/parameterFaults.cts).
 */

type Execute = (this: IExecuteFunctions) => ReturnType<NonNullable<INodeType['execute']>>;

interface StandIn {
	name: string;
	versions: number[];
	properties?: INodeProperties[];
	outputs?: number;
	isTrigger?: boolean;
	execute: Execute;
}

function standIn({
	name,
	versions,
	properties = [],
	outputs = 1,
	isTrigger = false,
	execute,
}: StandIn): [string, INodeType] {
	const node: INodeType = {
		description: {
			name,
			displayName: `${name} (stand-in)`,
			group: [isTrigger ? 'trigger' : 'transform'],
			version: versions,
			description: 'Stands in for the node of n8n-nodes-base',
			defaults: { name },
			inputs: isTrigger ? [] : ['main'],
			outputs: Array<'main'>(outputs).fill('main'),
			properties,
		},
		execute,
	};
	return [`n8n-nodes-base.${name}`, node];
}

/** A parameter that is handed over as it stands in the workflow, whatever it holds. */
function plain(name: string, value: NodeParameterValueType = ''): INodeProperties {
	return { displayName: name, name, type: 'json', default: value };
}

const conditions: INodeProperties = {
	displayName: 'Conditions',
	name: 'conditions',
	type: 'filter',
	default: {},
	typeOptions: { filter: { version: 2 } },
};

const passOn: Execute = async function () {
	return [this.getInputData()];
};

/** A trigger puts out the items that the test gives it. */
const trigger = (name: string, versions: number[]): [string, INodeType] =>
	standIn({ name, versions, isTrigger: true, execute: passOn });

/** Evaluates the conditions with n8n's own code. */
const divide: Execute = async function () {
	const [passed, others]: INodeExecutionData[][] = [[], []];
	this.getInputData().forEach((item, index) => {
		const holds = this.getNodeParameter('conditions', index, false, { extractValue: true });
		(holds ? passed : others).push({ ...item, pairedItem: item.pairedItem ?? { item: index } });
	});
	return [passed, others];
};

const keepPassed: Execute = async function () {
	return [((await divide.call(this)) as INodeExecutionData[][])[0]];
};

interface Assignment {
	name: string;
	value: string;
}

const set: Execute = async function () {
	return [
		this.getInputData().map((_, item) => {
			const { assignments } = this.getNodeParameter('assignments', item) as unknown as {
				assignments: Assignment[];
			};
			const json = Object.fromEntries(assignments.map(({ name, value }) => [name, value]));
			return { json, pairedItem: { item } };
		}),
	];
};

const splitOut: Execute = async function () {
	const field = this.getNodeParameter('fieldToSplitOut', 0) as string;
	if (field !== '$binary') throw new Error(`The stand-in splits $binary only, not ${field}`);
	return [
		this.getInputData().flatMap(({ binary }, item) =>
			Object.entries(binary ?? {}).map(([name, file]) => ({
				json: {},
				binary: { [name]: file },
				pairedItem: { item },
			})),
		),
	];
};

function at(json: IDataObject, path: string): unknown {
	return path
		.split('.')
		.reduce<unknown>((value, key) => (value as IDataObject | undefined)?.[key], json);
}

const outputName = (field: string) => field.replace(/[ .]/g, '_');

/** Counts or appends, empty values included, by the values of some fields. */
const summarize: Execute = async function () {
	const [summary] = this.getNodeParameter('fieldsToSummarize.values', 0) as Array<{
		aggregation: 'append' | 'count';
		field: string;
	}>;
	const splitBy = (this.getNodeParameter('fieldsToSplitBy', 0) as string)
		.split(',')
		.map((field) => field.trim());
	const groups = new Map<string, { json: IDataObject; values: unknown[]; items: number[] }>();
	this.getInputData().forEach(({ json }, item) => {
		const keys = splitBy.map((field) => [outputName(field), at(json, field)] as const);
		const id = JSON.stringify(keys);
		const group = groups.get(id) ?? {
			json: Object.fromEntries(keys.reverse()) as IDataObject,
			values: [],
			items: [],
		};
		group.values.push(at(json, summary.field));
		group.items.push(item);
		groups.set(id, group);
	});
	const name = `${summary.aggregation === 'append' ? 'appended' : 'count'}_${outputName(summary.field)}`;
	return [
		[...groups.values()].map(({ json, values, items }) => ({
			json: {
				[name]: summary.aggregation === 'append' ? (values as string[]) : values.length,
				...json,
			},
			pairedItem: items.map((item) => ({ item })),
		})),
	];
};

/** What n8n would remember in its database, by node. */
const handedOn = onePerProcess('handed on', () => new Map<string, Set<string>>());

const removeDuplicates: Execute = async function () {
	const node = this.getNode().id;
	const known = handedOn.get(node) ?? new Set<string>();
	handedOn.set(node, known);
	const fresh = this.getInputData().filter((_, index) => {
		const key = String(this.getNodeParameter('dedupeValue', index));
		const isNew = !known.has(key);
		known.add(key);
		return isNew;
	});
	return [fresh];
};

/** What a credential of the type Header Auth adds. */
async function headerOfCredential(context: IExecuteFunctions, item: number): Promise<IDataObject> {
	const type = context.getNodeParameter('genericAuthType', item, '');
	if (type !== 'httpHeaderAuth') return {};
	const { name, value } = await context.getCredentials<Record<string, string>>(type, item);
	return { [name]: value };
}

/** Sends a real request, with a JSON or raw body if there is one. */
const httpRequest: Execute = async function () {
	const results: INodeExecutionData[] = [];
	for (const item of this.getInputData().keys()) {
		const isRaw = this.getNodeParameter('contentType', item, 'json') === 'raw';
		const body = String(this.getNodeParameter(isRaw ? 'body' : 'jsonBody', item, ''));
		const type = isRaw ? this.getNodeParameter('rawContentType', item) : 'application/json';
		const answer: unknown = await this.helpers.httpRequest({
			method: this.getNodeParameter('method', item) as 'PUT',
			url: this.getNodeParameter('url', item) as string,
			headers: { 'content-type': type as string, ...(await headerOfCredential(this, item)) },
			...(this.getNodeParameter('sendBody', item, false) ? { body } : {}),
		});
		const json =
			typeof answer === 'object' ? (answer as IDataObject) : { answer: answer as string };
		results.push({ json, pairedItem: { item } });
	}
	return [results];
};

const stopAndError: Execute = async function () {
	throw new NodeOperationError(this.getNode(), this.getNodeParameter('errorMessage', 0) as string);
};

/** Puts out the mail instead of sending it. */
const emailSend: Execute = async function () {
	const fields = ['fromEmail', 'toEmail', 'subject', 'text', 'options'];
	return [
		this.getInputData().map(({ binary }, item) => ({
			json: Object.fromEntries(
				fields.map((field) => [field, this.getNodeParameter(field, item, '') as string]),
			),
			binary,
			pairedItem: { item },
		})),
	];
};

function csvOf(rows: IDataObject[]): string {
	const columns = Object.keys(rows[0] ?? {});
	const lines = [columns, ...rows.map((row) => columns.map((column) => String(row[column])))];
	return `\ufeff${lines.map((line) => line.join(',')).join('\n')}`;
}

const convertToFile: Execute = async function () {
	const operation = this.getNodeParameter('operation', 0) as string;
	const field = this.getNodeParameter('binaryPropertyName', 0) as string;
	const { fileName = 'file' } = this.getNodeParameter('options', 0, {}) as { fileName?: string };
	const items = this.getInputData();
	const text = {
		csv: () => csvOf(items.map(({ json }) => json)),
		toJson: () => JSON.stringify(items.map(({ json }) => json)),
		toText: () => String(items[0].json[this.getNodeParameter('sourceProperty', 0) as string]),
	}[operation];
	if (!text) throw new Error(`The stand-in knows no operation ${operation}`);
	const file = await this.helpers.prepareBinaryData(Buffer.from(text()), fileName);
	return [
		[{ json: {}, binary: { [field]: file }, pairedItem: items.map((_, item) => ({ item })) }],
	];
};

/** Puts out the name that the file would have got, and the file with it. */
const readWriteFile: Execute = async function () {
	return [
		this.getInputData().map(({ binary }, item) => ({
			json: { fileName: this.getNodeParameter('fileName', item) as string },
			binary,
			pairedItem: { item },
		})),
	];
};

export const BASE_NODES: Record<string, INodeType> = Object.fromEntries([
	trigger('scheduleTrigger', [1.2]),
	trigger('webhook', [2]),
	trigger('errorTrigger', [1]),
	trigger('emailReadImap', [2]),
	standIn({ name: 'filter', versions: [2.2], properties: [conditions], execute: keepPassed }),
	standIn({ name: 'if', versions: [2.2], properties: [conditions], outputs: 2, execute: divide }),
	standIn({ name: 'set', versions: [3.4], properties: [plain('assignments', {})], execute: set }),
	standIn({
		name: 'splitOut',
		versions: [1],
		properties: [plain('fieldToSplitOut')],
		execute: splitOut,
	}),
	standIn({
		name: 'summarize',
		versions: [1.1],
		properties: [plain('fieldsToSummarize', {}), plain('fieldsToSplitBy')],
		execute: summarize,
	}),
	standIn({
		name: 'removeDuplicates',
		versions: [2],
		properties: [plain('dedupeValue')],
		execute: removeDuplicates,
	}),
	standIn({
		name: 'httpRequest',
		versions: [4.2],
		properties: [
			plain('method', 'GET'),
			plain('url'),
			plain('genericAuthType'),
			plain('sendBody', false),
			plain('contentType', 'json'),
			plain('rawContentType'),
			plain('body'),
			plain('jsonBody'),
		],
		execute: httpRequest,
	}),
	standIn({
		name: 'stopAndError',
		versions: [1],
		properties: [plain('errorMessage')],
		execute: stopAndError,
	}),
	standIn({
		name: 'emailSend',
		versions: [2.1],
		properties: ['fromEmail', 'toEmail', 'subject', 'text', 'options'].map((name) => plain(name)),
		execute: emailSend,
	}),
	standIn({
		name: 'convertToFile',
		versions: [1.1],
		properties: ['operation', 'binaryPropertyName', 'sourceProperty', 'options'].map((name) =>
			plain(name),
		),
		execute: convertToFile,
	}),
	standIn({
		name: 'readWriteFile',
		versions: [1],
		properties: [plain('fileName')],
		execute: readWriteFile,
	}),
]);
