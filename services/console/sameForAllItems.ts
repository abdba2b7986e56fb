import { UserError } from 'n8n-workflow';
import type { RequestContext } from '../../transport/connection';
import { operationError } from '../../transport/errors/operationError';

/**
 * What an OAuth2 credential leads to, for each item. n8n keeps one access token for all: the console of another item
 * would get that of the first.
 * @param consoleOf What the credential says for an item; `credential` tells it from other values.
 * @throws NodeOperationError, of the function it returns, for an item for which it says something else.
 */
export function sameForAllItems<T extends { credential: string }>(
	context: RequestContext,
	consoleOf: (itemIndex?: number) => Promise<T>,
): (itemIndex?: number) => Promise<T> {
	return async (itemIndex) => {
		const first = await consoleOf();
		if (itemIndex === undefined) return first;
		const own = await consoleOf(itemIndex);
		if (own.credential === first.credential) return first;
		const error = new UserError(
			'The OAuth2 credential has other values for this item than for the first one',
			{
				description:
					'n8n keeps one access token for each OAuth2 credential. Create one for each tenant, without expressions that depend on the item, and use it in a node of its own.',
			},
		);
		throw operationError(context.getNode(), error, itemIndex);
	};
}
