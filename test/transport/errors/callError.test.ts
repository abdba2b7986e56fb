import type { INode } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';
import { callError, failureKindOf } from '../../../transport/errors/callError';
import type { CallFailure, FailureKind } from '../../../transport/errors/failure';
import { failures } from '../../../transport/errors/failure';

const node: INode = {
	id: 'n',
	name: 'Scan it',
	type: 'n8n-nodes-content-scan.contentScan',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

const situation = { purpose: 'scan the URL', serviceName: 'scanning service' };

const errorOf = (failure: CallFailure, more = {}) =>
	callError(node, failure, { ...situation, ...more });

it('says what happened, on which item, and what to do', () => {
	const error = errorOf({ kind: 'forbidden', status: 403, quote: 'No license.' }, { itemIndex: 3 });
	expect(error).toBeInstanceOf(NodeApiError);
	expect(error.message).toBe(
		'Could not scan the URL: the scanning service does not allow this call (403) [item 3]',
	);
	expect(error.description).toBe(
		`The scanning service says: "No license". ${failures.forbidden.advice}`,
	);
	expect(error.httpCode).toBe('403');
	expect(error.context.itemIndex).toBe(3);
	expect(failureKindOf(error)).toBe('forbidden');
});

it('names no item and no status where there is none', () => {
	const error = errorOf({ kind: 'noAnswer', detail: 'the connection broke' });
	expect(error.message).toBe(
		'Could not scan the URL: the scanning service did not answer (the connection broke)',
	);
	expect(error.httpCode).toBeNull();
	expect(error.context.itemIndex).toBeUndefined();
});

it('says what to check first where nothing is there', () => {
	const ifNotFound = 'Check the ID.';
	const { message, description } = errorOf({ kind: 'notFound', status: 404 }, { ifNotFound });
	expect(message).toContain('knows nothing with this ID, or has nothing at this address (404)');
	expect(description).toBe(`Check the ID. ${failures.notFound.advice}`);
	expect(errorOf({ kind: 'forbidden' }, { ifNotFound }).description).not.toContain('Check the ID');
});

it.each(Object.keys(failures) as FailureKind[])('leaves nothing open in %s', (kind) => {
	const error = errorOf({ kind, detail: 'DETAIL' });
	expect(`${error.message} ${error.description}`).not.toMatch(/[{}]|undefined|null/);
	expect(error.message).toContain('scan the URL: ');
});

it('does not take braces in what others wrote for its own', () => {
	const error = errorOf({ kind: 'redirect', detail: '{purpose}{service}', quote: '{detail}' });
	expect(error.message).toContain('redirects to {purpose}{service}');
	expect(error.description).toContain('"{detail}"');
});

it.each(['freeaccess.example', 'ECONNREFUSED', 'keeperm.example', 'ENOTFOUND', 'getaddrinfo'])(
	'keeps its text when n8n takes "%s" in it for a code',
	(detail) => {
		expect(errorOf({ kind: 'redirect', detail }).message).toBe(
			`Could not scan the URL: the scanning service redirects to ${detail}`,
		);
	},
);

it('lets n8n take only a cancellation for one', () => {
	const { message } = errorOf({ kind: 'redirect', detail: 'canceled.example' });
	expect(message).toContain('cancelled.example');
	expect(errorOf({ kind: 'cancelledOnTheWay' }).message).toContain('was canceled');
});

describe('after an unclear outcome', () => {
	const unclear = { unclear: true, howToCheck: "Look at 'Scan: Get Many' first." };

	test('the error can be told from others', () => {
		expect(errorOf({ kind: 'noAnswer' }, unclear).context.unclear).toBe(true);
		expect(errorOf({ kind: 'noAnswer' }).context).not.toHaveProperty('unclear');
	});

	it('says that it is not certain, and how to check', () => {
		expect(errorOf({ kind: 'noAnswer' }, unclear).description).toMatch(
			/^It is not certain whether the call was carried out, so it was not repeated\. Look at 'Scan: Get Many' first\. /,
		);
	});

	it.each(Object.keys(failures) as FailureKind[])('does not invite to repeat it: %s', (kind) => {
		expect(errorOf({ kind }, unclear).description).not.toMatch(/try again/i);
	});

	it('says to check in the service where the operation knows no better', () => {
		expect(errorOf({ kind: 'noAnswer' }, { unclear: true }).description).toContain(
			'Check in the service before you run it again.',
		);
	});
});

it('says to try again later where it may pass and a repetition is safe', () => {
	expect(errorOf({ kind: 'unavailable', status: 503 }).description).toMatch(/Try again later\.$/);
	expect(errorOf({ kind: 'notFound', status: 404 }).description).not.toContain('Try again');
});

it("quotes n8n where n8n's own words are meant", () => {
	expect(errorOf({ kind: 'notSent', quote: 'The address is blocked' }).description).toContain(
		'n8n says: "The address is blocked".',
	);
});

it.each([
	['rateLimited', { cause: 'rate-limited', retryAfterMs: 5000 }],
	['queueExpired', { cause: 'rate-limited', retryAfterMs: 5000 }],
	['unavailable', { cause: 'temporarily-unavailable', retryAfterMs: 5000 }],
	['unauthorized', { cause: 'credential-invalid' }],
	['noAccessToken', { cause: 'credential-invalid' }],
	['tokenServiceDown', { cause: 'temporarily-unavailable', retryAfterMs: 5000 }],
	['forbidden', { cause: 'configuration-invalid' }],
	['badRequest', undefined],
	['notFound', undefined],
] as Array<[FailureKind, object | undefined]>)("%s tells n8n's back-off %j", (kind, failure) => {
	expect(errorOf({ kind, retryAfterMs: 5000 }).failure).toStrictEqual(failure);
});

it('carries nothing of the request', () => {
	const error = errorOf({ kind: 'noAnswer', detail: 'the connection broke' });
	expect(error.cause).toBeUndefined();
	expect(JSON.stringify(error)).not.toMatch(/headers|authorization|config/i);
});
