import { runNode } from '../support/engine/runWorkflow.cts';
import type { RunNodeOptions, SingleNodeRun } from '../support/engine/runWorkflow.cts';
import type { RawRequest, RawServer } from '../support/transport/rawServer.cts';
import { answer, startRawServer } from '../support/transport/rawServer.cts';

/** Services that repeat in an answer what they were sent: it gets into no output and no error of the nodes. */

jest.setTimeout(30_000);

const MARK = 'TOP-SECRET';
const CLIENT_SECRET = `${MARK}-CLIENT`;

let server: RawServer;
let status: number;

beforeAll(async () => (server = await startRawServer()));

afterAll(async () => await server.close());

beforeEach(() => {
	server.requests.length = 0;
	server.behave((response, request) => answer(status, echo(request))(response, request));
});

/** A scan and an entry in one. With an access token goes the secret that it was fetched with. */
function echo({ headers }: RawRequest): string {
	const { authorization, 'x-key': key } = headers;
	const said = {
		authorization,
		key,
		...(authorization?.startsWith('Bearer') && { CLIENT_SECRET }),
	};
	return JSON.stringify({ id: 5, auditlogId: '5', detail: JSON.stringify(said), said });
}

interface Setup {
	type: string;
	credentialType: string;
	credential: () => Record<string, unknown>;
	parameters: Record<string, unknown>;
}

const getEntry = { operation: 'get', auditlogId: '5' };

const SETUPS: Array<[string, Setup]> = [
	[
		'Content Scan API',
		{
			type: 'contentScan',
			credentialType: 'contentScanApi',
			credential: () => ({
				environment: 'custom',
				baseUrl: server.origin,
				apiToken: '={{ $json.secret }}',
				callsPerMinute: 1000,
			}),
			parameters: {
				resource: 'scan',
				operation: 'get',
				scanId: { __rl: true, mode: 'id', value: '5' },
				simplify: false,
			},
		},
	],
	[
		'Browser Console Headers API',
		{
			type: 'consoleAuditLog',
			credentialType: 'browserConsoleHeadersApi',
			credential: () => ({
				consoleUrl: server.origin,
				headers: { values: [{ name: 'X-Key', value: '={{ $json.secret }}' }] },
			}),
			parameters: getEntry,
		},
	],
	[
		'Browser Console OAuth2 API',
		{
			type: 'consoleAuditLog',
			credentialType: 'browserConsoleOAuth2Api',
			credential: () => ({
				consoleUrl: server.origin,
				accessTokenUrl: `${server.origin}/token`,
				clientId: 'client-1',
				clientSecret: CLIENT_SECRET,
				oauthTokenData: { access_token: `${MARK}-BEARER`, token_type: 'bearer' },
			}),
			parameters: { ...getEntry, authentication: 'oAuth2' },
		},
	],
];

const items = ['A', 'B'].map((tenant) => ({ json: { secret: `${MARK}-OF-${tenant}` } }));

async function run(setup: Setup, more: Partial<RunNodeOptions> = {}): Promise<SingleNodeRun> {
	const { type, credentialType, credential, parameters } = setup;
	return await runNode({
		node: { type, parameters, onError: 'continueRegularOutput' },
		credentials: { [credentialType]: credential() },
		items,
		...more,
	});
}

describe.each(SETUPS)('%s', (name, setup) => {
	it('is sent, and repeated', async () => {
		status = 200;
		await run(setup);
		const echoes = server.requests.map(echo);
		expect(echoes).toHaveLength(2);
		for (const text of echoes) expect(text).toContain(MARK);
		if (!name.includes('OAuth2')) expect(echoes[0]).not.toBe(echoes[1]);
	});

	it.each([200, 400, 404])('what answers with %i say of it is cut out', async (answered) => {
		status = answered;
		const { outputs } = await run(setup);
		const shown = outputs[0].map(({ json }) => JSON.stringify(json));
		expect(shown).toHaveLength(2);
		for (const text of shown) {
			expect(text).toContain('[redacted]');
			expect(text).not.toContain(MARK);
		}
	});
});
