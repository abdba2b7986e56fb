import type { INodeProperties } from 'n8n-workflow';

export function scanIdField(
	show: Record<string, string[]>,
	text: { displayName: string; description: string; listMethod?: string; listed?: string },
): INodeProperties {
	return {
		displayName: text.displayName,
		name: 'scanId',
		type: 'resourceLocator',
		// By ID: a submission before this node hands its scan_id over as an expression.
		default: { mode: 'id', value: '' },
		required: true,
		description: text.description,
		displayOptions: { show },
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: 'Select a scan…',
				hint: `${text.listed ?? 'Scans of the last 24 hours.'} Search also by recipient or ID; it covers the newest, and what you have scrolled to.`,
				typeOptions: {
					searchListMethod: text.listMethod ?? 'searchScans',
					searchable: true,
					slowLoadNotice: {
						message:
							'If executions have used up the calls of this minute, the list takes until the next one. Or choose By ID.',
						timeout: 10_000,
					},
				},
			},
			{
				displayName: 'By ID',
				name: 'id',
				type: 'string',
				placeholder: 'e.g. 123456',
			},
		],
	};
}
