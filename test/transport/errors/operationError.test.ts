import { UserError } from 'n8n-workflow';
import { operationError } from '../../../transport/errors/operationError';
import { consoleNode as node } from '../../support/consoleNode.cts';

const flaw = new UserError('The host "freeaccess.example" is odd: EACCES', {
	description: 'Do so.',
});

it('says what the check said, with the item, and not what n8n makes of a code in it', () => {
	const error = operationError(node, flaw, 3);
	expect(error.message).toBe('The host "freeaccess.example" is odd: EACCES [item 3]');
	expect(error.description).toBe('Do so.');
	expect(error.context.itemIndex).toBe(3);
	expect(error).toMatchObject({ failure: { cause: 'configuration-invalid' } });
});

it('says nothing of a cause where no check has failed', () => {
	const error = operationError(node, new TypeError('x is undefined'));
	expect(error.message).toBe('x is undefined');
	expect(error).toHaveProperty('failure', undefined);
});

it.each([
	["The item has no binary field 'canceled'", "The item has no binary field 'cancelled'"],
	['The execution was canceled before', 'The execution was canceled before'],
])('lets n8n take only a cancellation for one: %s', (said, shown) => {
	expect(operationError(node, new UserError(said)).message).toBe(shown);
});
