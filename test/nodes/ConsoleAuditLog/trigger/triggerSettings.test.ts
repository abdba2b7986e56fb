import type { IPollFunctions } from 'n8n-workflow';
import { triggerSettings } from '../../../../nodes/ConsoleAuditLog/trigger/triggerSettings';
import { consoleNode } from '../../../support/consoleNode.cts';

const settingsOf = (parameters: Record<string, unknown>) =>
	triggerSettings({
		getNode: () => consoleNode,
		getNodeParameter: (name: string, fallback: unknown) => parameters[name] ?? fallback,
		getTimezone: () => 'UTC',
	} as unknown as IPollFunctions);

test.each([
	['items', 0.02, 32],
	['text', 5, 32],
	['text', 0.065536, 16],
	['text', 0.001, 4],
])(
	'a poll of %s, of at most %d MB each, delivers about %d MB',
	(output, maxTextSize, megabytes) => {
		const { reading } = settingsOf({ output, options: { maxTextSize } });
		expect(reading.mostBytes / 1024 / 1024).toBeCloseTo(megabytes, 2);
	},
);
