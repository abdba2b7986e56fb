import type { INodeProperties } from 'n8n-workflow';
import type { OperationKey } from '../../services/scanning/operationTable';
import { operationTable } from '../../services/scanning/operationTable';

const PATH_HINT = 'Path below /api/v1/, with or without that prefix';

function path(name: OperationKey): INodeProperties {
	const { label, path: published = 'scans/{scanId}/…/' } = operationTable[name];
	return {
		displayName: label,
		name,
		type: 'string',
		default: '',
		placeholder: `e.g. ${published}`,
		description: published.includes('{scanId}')
			? `${PATH_HINT}. {scanId} stands for the scan ID.`
			: PATH_HINT,
	};
}

function method(key: OperationKey, unset: string, description: string): INodeProperties {
	return {
		displayName: `${operationTable[key].label}: Method`,
		name: `${key}Method`,
		type: 'options',
		options: [
			{ name: unset, value: '' },
			{ name: 'GET', value: 'GET' },
			{ name: 'PATCH', value: 'PATCH' },
			{ name: 'POST', value: 'POST' },
			{ name: 'PUT', value: 'PUT' },
		],
		default: '',
		description,
	};
}

function body(key: OperationKey, placeholder: string, words: string): INodeProperties {
	return {
		displayName: `${operationTable[key].label}: Body`,
		name: `${key}Body`,
		type: 'string',
		typeOptions: { rows: 3 },
		default: '',
		placeholder,
		description: `JSON to send. ${words} are replaced, safely quoted.`,
	};
}

const NOT_PUBLISHED = 'Only your provider can tell you';

/**
 * Where a deployment's paths differ, and the two operations whose method, path and body nobody
 * publishes (docs/interface.md).
 */
export const operationPathFields: INodeProperties[] = [
	{
		displayName: 'Operation Paths',
		name: 'operationPaths',
		type: 'fixedCollection',
		placeholder: 'Set Operation Paths',
		default: {},
		description:
			'Change Verdict and Request Investigation need API paths that only your provider can give you. Leave the others empty unless your deployment differs.',
		options: [
			{
				displayName: 'Paths',
				name: 'values',
				values: [
					path('changeVerdict'),
					body(
						'changeVerdict',
						'{ "verdict": "{verdict}", "reason": "{reason}" }',
						'{scanId}, {verdict} (the code), {verdictWord} and {reason}',
					),
					method('changeVerdict', 'Not Set', NOT_PUBLISHED),
					path('getScan'),
					path('listScans'),
					path('releaseEmail'),
					method('releaseEmail', 'As Published', 'GET unless your deployment differs'),
					path('requestInvestigation'),
					body(
						'requestInvestigation',
						'{ "verdict": "{verdict}", "comment": "{comment}" }',
						'{scanId}, {verdict} (the code), {verdictWord} and {comment}',
					),
					method('requestInvestigation', 'Not Set', NOT_PUBLISHED),
					path('scanFile'),
					path('scanUrl'),
				],
			},
		],
	},
];
