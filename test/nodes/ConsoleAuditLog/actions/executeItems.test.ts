import type { IExecuteFunctions } from 'n8n-workflow';
import { executeItems } from '../../../../nodes/ConsoleAuditLog/actions/executeItems';
import { MOST_ON_A_PAGE } from '../../../../services/pageCircle';
import { consoleNode as node } from '../../../support/consoleNode.cts';
import { streamOf } from '../../../support/streamOf.cts';

/** More than a function takes arguments, and no more on a page than is read. */
const PAGES = 3;
const ENTRIES = PAGES * MOST_ON_A_PAGE;

function contextOf(parameters: Record<string, unknown>, items: unknown[] = []): IExecuteFunctions {
	let page = 0;
	const body = () => {
		const begin = page++ * MOST_ON_A_PAGE;
		const nextPageToken = page < PAGES ? `page ${page}` : null;
		return streamOf(
			JSON.stringify({ items: items.slice(begin, begin + MOST_ON_A_PAGE), nextPageToken }),
		);
	};
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
				body: body(),
			}),
		},
	} as unknown as IExecuteFunctions;
}

it('returns more entries than a function takes arguments', async () => {
	const items = Array.from({ length: ENTRIES }, (_, id) => id);
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

it('tells an AI agent what to do, of whom n8n hands on the message only', async () => {
	const parameters = { authentication: 'headers', operation: 'getAll', order: 'newest' };
	const context = contextOf(parameters);
	const howTo = expect.stringContaining('one of: newestFirst, oldestFirst') as string;
	const message = "'Order' is not one of its options [item 0]";
	await expect(executeItems(context)).rejects.toMatchObject({ message, description: howTo });
	context.getNode = () => ({ ...node, type: `${node.type}Tool` });
	await expect(executeItems(context)).rejects.toMatchObject({ message: howTo });
});
