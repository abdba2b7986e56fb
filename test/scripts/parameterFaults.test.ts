import type { INode, INodeParameters, INodeTypeDescription } from 'n8n-workflow';
import { parameterFaults } from '../../scripts/examples/parameterFaults.cts';

const description = {
	name: 'fixture',
	version: 1,
	properties: [
		{
			displayName: 'Kind',
			name: 'kind',
			type: 'options',
			options: [
				{ name: 'One', value: 'one' },
				{ name: 'Two', value: 'two' },
			],
			default: 'one',
		},
		{
			displayName: 'Of Two',
			name: 'ofTwo',
			type: 'string',
			default: '',
			required: true,
			displayOptions: { show: { kind: ['two'] } },
		},
		{
			displayName: 'Options',
			name: 'options',
			type: 'collection',
			default: {},
			options: [{ displayName: 'Size', name: 'size', type: 'number', default: 1 }],
		},
		{
			displayName: 'Rows',
			name: 'rows',
			type: 'fixedCollection',
			typeOptions: { multipleValues: true },
			default: {},
			options: [
				{
					displayName: 'Row',
					name: 'row',
					values: [{ displayName: 'On', name: 'on', type: 'boolean', default: false }],
				},
			],
		},
	],
} as unknown as INodeTypeDescription;

const faults = (parameters: INodeParameters) =>
	parameterFaults(
		{
			id: '1',
			name: 'Node',
			type: 'fixture',
			typeVersion: 1,
			position: [0, 0],
			parameters,
		} as INode,
		description,
	);

describe('the check of saved parameters', () => {
	it.each<INodeParameters>([
		{},
		{ kind: 'two', ofTwo: 'x' },
		{ kind: '={{ $json.kind }}', ofTwo: 'x', options: { size: '={{ 1 + 1 }}' } },
		{ options: { size: 2 }, rows: { row: [{ on: true }] } },
	])('accepts %j', (parameters) => {
		expect(faults(parameters)).toEqual([]);
	});

	it.each<[INodeParameters, string]>([
		[{ sort: 'one' }, "'sort' does not exist"],
		[{ ofTwo: 'x' }, "'ofTwo' does not belong to these values"],
		[{ kind: 'three' }, `'kind' offers no "three"`],
		[{ options: { width: 1 } }, "'options.width' does not exist"],
		[{ options: { size: '2' } }, "'options.size' is no number"],
		[{ rows: { line: [] } }, "'rows.line' does not exist"],
		[{ rows: { row: [{ off: true }] } }, "'rows.row.off' does not exist"],
		[{ kind: 'two' }, 'Parameter "Of Two" is required.'],
	])('finds what is wrong with %j', (parameters, fault) => {
		expect(faults(parameters)).toContain(`Node: ${fault}`);
	});
});
