import { UserError } from 'n8n-workflow';
import { perCredential } from '../../services/perCredential';
import type { RequestContext } from '../../transport/connection';
import { consoleNode as node } from '../support/consoleNode.cts';

const context = (tokens: string[]) =>
	({
		getNode: () => node,
		getCredentials: async (_type: string, item = 0) => ({ token: tokens[item] }),
	}) as unknown as RequestContext;

it('makes something once for all items with the same credential', async () => {
	const make = jest.fn(({ token }: { token?: unknown }) => ({ token }));
	const of = perCredential(context(['a', 'b', 'a']), 'type', make);
	const made = [await of(0), await of(1), await of(2)];
	expect(made.map(({ token }) => token)).toEqual(['a', 'b', 'a']);
	expect(make).toHaveBeenCalledTimes(2);
});

it('names the item whose credential cannot be used', async () => {
	const of = perCredential(context(['a', '']), 'type', ({ token }) => {
		if (token === '') throw new UserError('The token is empty');
		return token;
	});
	await expect(of(0)).resolves.toBe('a');
	await expect(of(1)).rejects.toThrow('The token is empty [item 1]');
});
