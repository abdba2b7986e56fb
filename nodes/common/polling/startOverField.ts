import type { INodeProperties } from 'n8n-workflow';

/** @param what What the trigger delivers, as it begins a sentence. */
export function startOverField(what: string): INodeProperties {
	return {
		displayName: 'Start Over',
		name: 'startOver',
		type: 'string',
		default: '',
		noDataExpression: true,
		placeholder: 'e.g. again 1',
		description: `Enter any new text and publish to begin again at 'Start From'. ${what} may be delivered again or, with 'Now', skipped.`,
	};
}
