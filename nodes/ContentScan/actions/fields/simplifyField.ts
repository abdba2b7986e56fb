import type { INodeProperties } from 'n8n-workflow';

/** n8n's Simplify, worded as its rules have it. */
export function simplifyField(show: Record<string, string[]>): INodeProperties {
	return {
		displayName: 'Simplify',
		name: 'simplify',
		type: 'boolean',
		default: true,
		description: 'Whether to return a simplified version of the response instead of the raw data',
		displayOptions: { show },
	};
}
