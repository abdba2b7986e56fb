import type { INodeProperties } from 'n8n-workflow';

/** Default of 'Max Text Size', in MB (1,000,000 bytes). */
export const DEFAULT_TEXT_MB = 5;

/**
 * How the entries leave the node.
 * @param show When the fields are shown, beside their own conditions.
 */
export function outputFields(show: Record<string, string[]> = {}): INodeProperties[] {
	return [
		{
			displayName: 'Output',
			name: 'output',
			type: 'options',
			noDataExpression: true,
			options: [
				{ name: 'Items', value: 'items', description: 'One item for each entry' },
				{
					name: 'Text',
					value: 'text',
					description:
						'One item with a line for each entry, for a SIEM. Much faster for thousands of entries.',
				},
			],
			default: 'items',
			displayOptions: { show },
		},
		{
			displayName: 'Line Template',
			name: 'lineTemplate',
			type: 'string',
			noDataExpression: true,
			typeOptions: { rows: 2 },
			default: '{entry}',
			displayOptions: { show: { ...show, output: ['text'] } },
			description:
				'What to write for each entry. {entry} is the entry as JSON, {eventKey} a key for dropping duplicates, {time} its time, {epoch} its time in seconds. For single fields, as in CEF, set Output to Items and build the lines with Edit Fields.',
			hint: 'Elasticsearch: {"create":{"_id":"{eventKey}"}}, a new line, {entry}. Splunk: {"event":{entry},"time":{epoch}}.',
		},
	];
}

export const maxTextSizeField: INodeProperties = {
	displayName: 'Max Text Size (MB)',
	name: 'maxTextSize',
	type: 'number',
	typeOptions: { minValue: 0 },
	default: DEFAULT_TEXT_MB,
	displayOptions: { show: { '/output': ['text'] } },
	description:
		'Largest text in one item. More entries make more items. A larger entry gets an item of its own.',
};
