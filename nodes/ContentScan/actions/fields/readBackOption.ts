export const readBackOption = {
	displayName: 'Read Scan Afterwards',
	name: 'readBack',
	type: 'boolean',
	default: false,
	description:
		'Whether to read the scan afterwards and return its state, at the cost of one more call. After Change Verdict, success then goes by the verdict that is read. Off by default.',
} as const;
