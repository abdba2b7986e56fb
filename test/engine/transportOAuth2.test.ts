import type { Behaviour, RawServer } from '../support/transport/rawServer.cts';
import { answer, deadOrigin, startRawServer } from '../support/transport/rawServer.cts';
import type { TransportBench } from '../support/transport/transportBench.cts';
import { openTransport } from '../support/transport/transportBench.cts';

/** The console behind an access token that n8n fetches and renews. */

const BEARER = 'TOP-SECRET-BEARER-';
const CLIENT = 'TOP-SECRET-CLIENT-1';

let server: RawServer;
let bench: TransportBench;
let handedOut: number;
let tokenEndpoint: Behaviour;
let entries: Behaviour;

const grant: Behaviour = (response, request) =>
	answer(
		200,
		JSON.stringify({
			access_token: `${BEARER}${++handedOut}`,
			token_type: 'bearer',
			expires_in: 60,
		}),
	)(response, request);

const calls = () => server.requests.map(({ method, url }) => `${method} ${url}`);

const open = async (tokenUrl = `${server.origin}/oauth2/token`) =>
	await openTransport({
		credential: [
			'browserConsoleOAuth2Api',
			{
				consoleUrl: server.origin,
				accessTokenUrl: tokenUrl,
				clientId: 'client-1',
				clientSecret: CLIENT,
			},
		],
		connection: {
			origin: server.origin,
			serviceName: 'console',
			secrets: [CLIENT],
			queueKey: 'client-1',
			renewsToken: true,
			readOnly: true,
		},
	});

beforeEach(async () => {
	server = await startRawServer();
	handedOut = 0;
	tokenEndpoint = grant;
	entries = answer(200, '{"items": []}');
	server.behave((response, request) => {
		const behaviour = request.url.startsWith('/oauth2/token') ? tokenEndpoint : entries;
		behaviour(response, request);
	});
	bench = await open();
});

afterEach(async () => {
	bench.close();
	await server.close();
});

it('fetches a token once and sends it with every call', async () => {
	expect(await bench.send({})).toMatchObject({ body: { items: [] } });
	expect(await bench.send({})).toMatchObject({ body: { items: [] } });
	expect(calls()).toStrictEqual(['POST /oauth2/token', 'GET /entries', 'GET /entries']);
	expect(server.requests[0]).toMatchObject({ body: 'grant_type=client_credentials' });
	expect(server.requests[2].headers.authorization).toBe(`Bearer ${BEARER}1`);
});

it('takes a deadline that is no whole number of milliseconds', async () => {
	const deadline = Math.floor(Date.now()) + 20_000.5;
	expect(await bench.send({}, { deadline })).toMatchObject({ body: { items: [] } });
});

it('renews a token that is refused, and sends the call again', async () => {
	entries = (response, request) =>
		answer(request.headers.authorization === `Bearer ${BEARER}2` ? 200 : 401, '{"items": []}')(
			response,
			request,
		);
	expect(await bench.send({})).toMatchObject({ body: { items: [] } });
	expect(calls()).toStrictEqual([
		'POST /oauth2/token',
		'GET /entries',
		'POST /oauth2/token',
		'GET /entries',
	]);
});

it('renews once, then says that the credential is refused, without the renewed token', async () => {
	entries = (response, request) =>
		answer(401, JSON.stringify({ detail: `bad ${request.headers.authorization?.slice(7)}` }))(
			response,
			request,
		);
	const { error } = await bench.send({});
	expect(error?.message).toBe(
		'Could not read the log: the console did not accept the credential (401)',
	);
	expect(error?.description).toMatch(
		/^The console says: "bad \[redacted\]"\. Check the credential/,
	);
	expect(error).toMatchObject({ httpCode: '401', failure: { cause: 'credential-invalid' } });
	expect(calls()).toHaveLength(4);
	expect(`${error?.everything()} ${bench.log()}`).not.toContain('TOP-SECRET');
});

it.each([301, 302, 307])('takes no token along a redirect with %d', async (status) => {
	const other = await startRawServer();
	entries = answer(status, '', { location: `${other.origin}/stolen` });
	const { error } = await bench.send({});
	expect(error?.message).toContain(`redirects to ${other.origin}`);
	expect(other.requests).toHaveLength(0);
	await other.close();
});

describe('no token', () => {
	it.each([
		['the client is unknown', answer(401, '{"error": "invalid_client"}')],
		['there is no such address', answer(404, '{}')],
		['a page answers', answer(200, '<html>Sign in</html>', { 'content-type': 'text/html' })],
	])('because %s points to the credential', async (_, behaviour) => {
		tokenEndpoint = behaviour;
		const { error } = await bench.send({});
		expect(error?.message).toBe('Could not read the log: n8n got no access token for the console');
		expect(error?.description).toContain('Check the client ID, the client secret');
		expect(error?.failure).toStrictEqual({ cause: 'credential-invalid' });
		expect(calls()).toStrictEqual(['POST /oauth2/token']);
		expect(`${error?.everything()} ${bench.log()}`).not.toContain('TOP-SECRET');
	});

	it.each([
		`{"access_token": "${BEARER}1", "token_type": "bearer",}`,
		`access_token=${BEARER}1&token_type=bearer`,
	])('because %s is no JSON is told without the token in it', async (body) => {
		tokenEndpoint = answer(200, body, { 'content-type': 'text/plain' });
		const { error } = await bench.send({});
		expect(error?.message).toBe('Could not read the log: n8n got no access token for the console');
		expect(error?.description).toContain('Expected JSON response');
		expect(error?.everything()).not.toContain('TOP-SECRET');
	});

	it('because the service is down for now is tried again', async () => {
		tokenEndpoint = (response, request) =>
			(calls().length < 3 ? answer(503, 'down') : grant)(response, request);
		expect(await bench.send({})).toMatchObject({ body: { items: [] } });
		expect(calls()).toHaveLength(4);
	});

	it('because nothing listens there says so, and that it may pass', async () => {
		const own = await open(`${await deadOrigin()}/oauth2/token`);
		const { error } = await own.send({});
		own.close();
		expect(error?.message).toContain(
			'the access token URL of the credential cannot be reached, or fails',
		);
		expect(error?.failure).toStrictEqual({ cause: 'temporarily-unavailable' });
		expect(`${error?.everything()} ${own.log()}`).not.toContain('TOP-SECRET');
	});

	it('within the time of the call ends the call', async () => {
		tokenEndpoint = () => {};
		const begun = Date.now();
		const { error } = await bench.send({}, { deadline: begun + 200 });
		expect(error?.message).toContain('the time for the call was over');
		expect(Date.now() - begun).toBeLessThan(10_000);
	});

	it('any more, after the client was revoked, points to the credential', async () => {
		await bench.send({});
		entries = answer(401, '{}');
		tokenEndpoint = answer(401, '{"error": "invalid_client"}');
		const { error } = await bench.send({});
		expect(error?.message).toContain('n8n got no access token for the console');
	});

	it('any more, while the service is down, says that it may pass', async () => {
		await bench.send({});
		entries = answer(401, '{}');
		tokenEndpoint = answer(503, 'down');
		const { error } = await bench.send({});
		expect(error?.message).toContain(
			'the access token URL of the credential cannot be reached, or fails',
		);
	});
});
