import type { INodeProperties } from 'n8n-workflow';

export const TIMEOUT_LABEL = 'Wait Timeout (Seconds)';

export function waitField(show: Record<string, string[]>): INodeProperties {
	return {
		displayName: 'Wait for Verdict',
		name: 'waitForVerdict',
		type: 'boolean',
		default: true,
		description:
			'Whether to wait until the scan has finished and return its verdict. When off, the item only says that the scan was submitted.',
		// An If into which "clean" is dragged asks for "is equal to false": its true branch is not that of the clean ones.
		hint: 'When on: to let only clean results pass, add an If node that compares the field "verdict" with the word "clean"',
		displayOptions: { show },
	};
}

export const waitOptions: INodeProperties[] = [
	{
		displayName: 'On Timeout',
		name: 'onTimeout',
		type: 'options',
		options: [
			{
				name: 'Fail',
				value: 'error',
				description:
					'Finish the other items, then fail with an error that lists all known scan IDs and verdicts',
			},
			{
				name: 'Return the Item',
				value: 'item',
				description:
					'Return the item with status "pending", without a verdict, and with "clean" empty (null)',
			},
		],
		default: 'error',
		description:
			'What to do if the scan is not finished when the wait times out. Default: Fail; where an AI agent uses the node as a tool, Return the Item.',
	},
	{
		displayName: TIMEOUT_LABEL,
		name: 'waitTimeout',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 300,
		description:
			'How long to wait for the verdict after the service has accepted the scan. Default: 300; where an AI agent uses the node as a tool, 45.',
	},
];
