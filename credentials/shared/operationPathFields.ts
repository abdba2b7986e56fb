import type { INodeProperties } from 'n8n-workflow';

const PATH_HINT = 'Below /api/v1/, with or without that prefix. {scanId} stands for the scan ID.';

function path(displayName: string, name: string, published: string): INodeProperties {
	return {
		displayName,
		name,
		type: 'string',
		default: '',
		placeholder: `e.g. ${published}`,
		description: PATH_HINT,
	};
}

function method(
	displayName: string,
	name: string,
	unset: string,
	description: string,
): INodeProperties {
	return {
		displayName,
		name,
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

function body(
	displayName: string,
	name: string,
	placeholder: string,
	words: string,
): INodeProperties {
	return {
		displayName,
		name,
		type: 'string',
		typeOptions: { rows: 3 },
		default: '',
		placeholder,
		description: `JSON to send. ${words} are replaced, safely quoted.`,
	};
}

const NOT_PUBLISHED = 'No public source shows it: ask the support contact of the provider.';

/**
 * Where a deployment's paths differ, and the two operations whose method, path and body nobody
 * publishes (interface.md, What the service does, 9: "paths and payloads not shown").
 */
export const operationPathFields: INodeProperties[] = [
	{
		displayName: 'Operation Paths',
		name: 'operationPaths',
		type: 'fixedCollection',
		placeholder: 'Set Operation Paths',
		default: {},
		description:
			'Only where your deployment differs, and for Change Verdict and Request Investigation, whose path and body are not published: the support contact of the provider tells them',
		options: [
			{
				displayName: 'Paths',
				name: 'values',
				values: [
					path('Change Verdict', 'changeVerdict', 'scans/{scanId}/…/'),
					body(
						'Change Verdict: Body',
						'changeVerdictBody',
						'{ "verdict": "{verdict}", "reason": "{reason}" }',
						'{scanId}, {verdict} (the code), {verdictWord} and {reason}',
					),
					method('Change Verdict: Method', 'changeVerdictMethod', 'Not Set', NOT_PUBLISHED),
					path('Get Scan', 'getScan', 'scans/list/{scanId}/'),
					path('List Scans', 'listScans', 'scans/list/'),
					path('Release Email', 'releaseEmail', 'quarantine/release/{scanId}/'),
					method(
						'Release Email: Method',
						'releaseEmailMethod',
						'As Published',
						'GET unless your deployment differs',
					),
					path('Request Investigation', 'requestInvestigation', 'scans/{scanId}/…/'),
					body(
						'Request Investigation: Body',
						'requestInvestigationBody',
						'{ "verdict": "{verdict}", "comment": "{comment}" }',
						'{scanId}, {verdict} (the code), {verdictWord} and {comment}',
					),
					method(
						'Request Investigation: Method',
						'requestInvestigationMethod',
						'Not Set',
						NOT_PUBLISHED,
					),
					path('Scan File', 'scanFile', 'files/'),
					path('Scan URL', 'scanUrl', 'urls/'),
				],
			},
		],
	},
];
