import type { IExecuteFunctions } from 'n8n-workflow';
import { executeItems } from '../../nodes/ConsoleAuditLog/executeItems';
import { consoleNode as node } from '../support/consoleNode.cts';
import { streamOf } from '../support/streamOf.cts';

const ENTRIES = 150_000;

it('returns more entries than a function takes arguments', async () => {
	const items = Array.from({ length: ENTRIES }, () => ({}));
	const parameters: Record<string, unknown> = { operation: 'getAll', returnAll: true };
	const context = {
		getInputData: () => [{ json: {} }],
		getNode: () => node,
		getNodeParameter: (name: string, _: number, fallback?: unknown) => parameters[name] ?? fallback,
		getTimezone: () => 'UTC',
		continueOnFail: () => false,
		getCredentials: async () => ({
			consoleUrl: 'https://console.example.com',
			headers: { values: [{ name: 'X-Key', value: 'TOP-SECRET-1' }] },
		}),
		helpers: {
			httpRequestWithAuthentication: async () => ({
				statusCode: 200,
				headers: {},
				body: streamOf(JSON.stringify({ items, nextPageToken: null })),
			}),
		},
	};
	const results = await executeItems(context as unknown as IExecuteFunctions);
	expect(results).toHaveLength(ENTRIES);
	expect(results.at(-1)).toEqual({ json: {}, pairedItem: { item: 0 } });
});
