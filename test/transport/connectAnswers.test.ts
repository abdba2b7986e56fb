import type { NodeApiError } from 'n8n-workflow';
import { setUp } from './support/fakeConnection';

describe('the words of the service', () => {
	it('come without secrets, as one line', async () => {
		const { settled } = setUp(() => ({
			status: 400,
			body: { detail: 'Your  key\nTOP-SECRET-1 is odd' },
		}));
		expect(await settled()).toMatchObject({
			error: { description: expect.stringContaining('"Your key [redacted] is odd"') },
		});
	});

	it('come without the token that n8n renewed meanwhile', async () => {
		const { settled, credential } = setUp(
			() => ({ status: 400, body: { detail: 'renewed-bearer of type bearer is odd' } }),
			{ renewsToken: true },
		);
		credential.oauthTokenData = { access_token: 'renewed-bearer', token_type: 'bearer' };
		expect(await settled()).toMatchObject({
			error: { description: expect.stringContaining('"[redacted] of type bearer is odd"') },
		});
	});

	it('come without the whole of that token behind its scheme, whatever signs it holds', async () => {
		const access_token = 'renewed0123456789abc|of|pipes';
		const { settled, credential } = setUp(
			() => ({ status: 400, body: { detail: `Bearer ${access_token} is odd` } }),
			{ renewsToken: true },
		);
		credential.oauthTokenData = { access_token };
		expect(await settled()).toMatchObject({
			error: { description: expect.stringContaining('"Bearer [redacted] is odd"') },
		});
	});

	it.each([
		['text/plain', 'Not today', true],
		['text/html', '<p>Not today</p>', false],
		['application/json', '{"broken": "Not today', false],
	])('of type %s are read if they are words', async (type, body, quoted) => {
		const { settled } = setUp(() => ({ status: 400, headers: { 'content-type': type }, body }));
		const { error } = (await settled()) as { error: Error & { description: string } };
		expect(error.description.includes('Not today')).toBe(quoted);
	});

	it('are left out where they are too long to be words', async () => {
		const body = JSON.stringify({ detail: 'x'.repeat(100_000) });
		const { settled } = setUp(() => ({ status: 400, body }));
		const { error } = (await settled()) as { error: Error & { description: string } };
		expect(error.description).toMatch(/^Correct the value the service rejected/);
	});
});

it.each([
	['https://elsewhere.example/login?next=/', 'https://elsewhere.example'],
	['//user:pw@elsewhere.example/x', 'https://elsewhere.example'],
	['http://console.example.com/entries', 'http://console.example.com'],
	['/login', 'another path'],
	['https://console.example.com/login', 'another path'],
	['https://TOP-SECRET-1.elsewhere.example/', 'https://[redacted].elsewhere.example'],
	['data:text/html,x', 'data:'],
	['https://', 'an address that is not valid'],
	[undefined, 'an address it does not name'],
])('names the origin that %j redirects to', async (location, target) => {
	const { settled } = setUp(() => ({ status: 302, headers: { ...(location && { location }) } }));
	const { error } = (await settled()) as { error: Error };
	expect(error.message).toBe(`Could not read the log: the console redirects to ${target}`);
});

it('does not repeat a host without end', async () => {
	const location = `https://${'x'.repeat(5000)}.example/`;
	const { settled } = setUp(() => ({ status: 302, headers: { location } }));
	const { error } = (await settled()) as { error: Error };
	expect(error.message.length).toBeLessThan(700);
});

it.each([
	['<!DOCTYPE html><html></html>', 'application/json', 'a web page came back'],
	['  \n<html>', '', 'a web page came back'],
	['Please sign in', 'text/html; charset=utf-8', 'a web page came back'],
	['{"items": [{"broken', 'application/json', 'only a part of the answer'],
	['{"items": [{]}', 'application/json', 'is not JSON'],
	['NaN', 'application/json', 'is not JSON'],
])('does not take %j for data', async (body, type, text) => {
	const { settled } = setUp(() => ({ headers: { 'content-type': type }, body }));
	const { error } = (await settled()) as { error: Error };
	expect(error.message).toContain(text);
});

it.each([
	[403, '<html>', 'application/json', true],
	[404, 'Access denied', 'text/html', true],
	[403, '{"message":"no license"}', 'application/json', false],
	[403, '', 'application/json', false],
])('says that a web page came with status %d and %j', async (status, body, type, isPage) => {
	const { settled } = setUp(() => ({ status, headers: { 'content-type': type }, body }));
	const { error } = (await settled()) as { error: NodeApiError };
	expect(error.message).toContain(`(${status})`);
	const page = 'The answer was a web page, so it may be from a proxy.';
	expect(error.description?.includes(page)).toBe(isPage);
});

it.each([
	['', undefined],
	['  \n', undefined],
	['\ufeff{"a":1}', { a: 1 }],
	['"text"', 'text'],
	['null', null],
	['12345678901234567890', '12345678901234567890'],
])('takes %j for %j', async (body, value) => {
	const { settled } = setUp(() => ({ body }));
	expect(await settled()).toStrictEqual({ body: value });
});

it.each([
	[
		'Email released successfully.',
		'text/plain; charset=utf-8',
		{ body: 'Email released successfully.' },
	],
	['TOP-SECRET-1 is released', 'text/plain', { body: '[redacted] is released' }],
	['<p>Released</p>', 'text/plain', 'a web page came back'],
	['Released', 'text/html', 'a web page came back'],
	['{"released": tr', 'application/json', 'only a part of the answer'],
])(
	'takes plain text for an answer where the call says so: %j as %s',
	async (body, type, outcome) => {
		const { settled } = setUp(() => ({ headers: { 'content-type': type }, body }), {
			tokens: ['TOP-SECRET-1'],
		});
		const result = await settled({ takesText: true });
		if (typeof outcome === 'string')
			expect((result as { error: Error }).error.message).toContain(outcome);
		else expect(result).toStrictEqual(outcome);
		const without = (await settled()) as { error: Error };
		expect(without.error.message).toMatch(/is not JSON|only a part|a web page came back/);
	},
);

it('makes an error of an answer that lacks something', async () => {
	const { service } = setUp(() => ({}));
	const error = await service.wrongShape(
		{ purpose: 'read the log', idempotent: true },
		'there is no x',
		2,
	);
	expect(error.message).toBe(
		'Could not read the log: there is no x in the answer of the console [item 2]',
	);
});

describe('an answer of which n8n keeps the status alone', () => {
	const thrown = (httpCode: string) => () => {
		throw Object.assign(new Error('Request failed'), { httpCode });
	};

	it.each([
		['400', 'refused the request (400, perhaps from the access token URL)'],
		['403', 'does not allow this call (403)'],
		['302', 'redirects to an address it does not name'],
	])('with OAuth2 is told by it: %s', async (httpCode, words) => {
		const { settled, requests } = setUp(thrown(httpCode), { renewsToken: true });
		expect(await settled()).toMatchObject({ error: { message: expect.stringContaining(words) } });
		expect(requests).toHaveLength(1);
	});

	it.each(['429', '503'])('comes again where another one would: %s', async (httpCode) => {
		const { settled, requests } = setUp(
			(_, attempt) => (attempt === 1 ? thrown(httpCode)() : { body: { items: [] } }),
			{ renewsToken: true },
		);
		expect(await settled()).toEqual({ body: { items: [] } });
		expect(requests).toHaveLength(2);
	});
});
