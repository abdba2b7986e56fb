import type { IExecuteFunctions } from 'n8n-workflow';
import { executeItems } from '../../../../nodes/ConsoleAuditLog/actions/executeItems';
import { consoleNode as node } from '../../../support/consoleNode.cts';
import { streamOf } from '../../../support/streamOf.cts';

const ENTRIES = 150_000;

function contextOf(parameters: Record<string, unknown>, items: unknown[] = []): IExecuteFunctions {
	return {
		getInputData: () => [{ json: {} }],
		getNode: () => node,
		getNodeParameter: (name: string, _: number, fallback?: unknown) => {
			const value = parameters[name] ?? fallback;
			if (value instanceof Error) throw value;
			return value;
		},
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
	} as unknown as IExecuteFunctions;
}

it('returns more entries than a function takes arguments', async () => {
	const items = Array.from({ length: ENTRIES }, () => 0);
	const parameters = { authentication: 'headers', operation: 'getAll', returnAll: true };
	const results = await executeItems(contextOf(parameters, items));
	expect(results).toHaveLength(ENTRIES);
	expect(results.at(-1)).toEqual({ json: { value: 0 }, pairedItem: { item: 0 } });
});

it('leaves no rejection behind where an expression fails besides the credential', async () => {
	const context = contextOf({ authentication: 'headers', operation: new Error('no such field') });
	context.getCredentials = async () => ({ consoleUrl: 'https://a b' }) as never;
	await expect(executeItems(context)).rejects.toThrow("'Console URL' of the credential contains");
});
