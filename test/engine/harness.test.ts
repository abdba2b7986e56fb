import {
	FIXTURE_PACKAGE as packageFolder,
	startFixtureServer,
} from '../support/engine/fixturePackage.cts';
import type { FixtureServer } from '../support/engine/fixturePackage.cts';
import { readBinary, runNode, runWorkflow } from '../support/engine/runWorkflow.cts';

/** The test engine's own tests, with the nodes of test/support/engine/fixture-package. */
let server: FixtureServer;

beforeAll(async () => {
	server = await startFixtureServer();
});

beforeEach(() => server.reset());

afterAll(async () => await server.close());

describe('runNode', () => {
	it('evaluates expressions per item and keeps the pairing', async () => {
		const run = await runNode({
			packageFolder,
			node: {
				type: 'fixtureAction',
				parameters: { text: '={{ $json.word }} of {{ $("Input of the test").item.json.word }}' },
			},
			items: [{ word: 'one' }, { word: 'two' }],
		});

		expect(run.executionStatus).toBe('success');
		expect(run.outputs).toStrictEqual([
			[
				{ json: { text: 'one of one' }, pairedItem: { item: 0 } },
				{ json: { text: 'two of two' }, pairedItem: { item: 1 } },
			],
		]);
		expect(run.hints).toStrictEqual([
			{ message: 'Echoed one of one', location: 'outputPane' },
			{ message: 'Echoed two of two', location: 'outputPane' },
		]);
		expect(run.log).toContainEqual(
			expect.objectContaining({ level: 'info', message: 'Echo of one of one' }),
		);
	});

	it('sends a request through the credential', async () => {
		server.respond((request) => ({ body: { token: request.headers['x-token'] } }));
		const run = await runNode({
			packageFolder,
			node: { type: 'fixtureAction', parameters: { do: 'request', url: server.origin } },
			credentials: { fixtureApi: { token: 'secret-1' } },
		});

		expect(run.outputs[0]?.[0]?.json).toStrictEqual({ token: 'secret-1' });
	});

	it('fetches and stores an OAuth2 token', async () => {
		server.respond((request) =>
			request.url === '/token'
				? { body: { access_token: 'fresh', token_type: 'bearer' } }
				: { body: { authorization: request.headers.authorization } },
		);
		const run = await runNode({
			packageFolder,
			node: {
				type: 'fixtureAction',
				parameters: { do: 'request', url: server.origin, credential: 'fixtureOAuth2Api' },
			},
			credentials: {
				fixtureOAuth2Api: {
					accessTokenUrl: `${server.origin}/token`,
					clientId: 'id',
					clientSecret: 'secret',
				},
			},
		});

		expect(run.outputs[0]?.[0]?.json).toStrictEqual({ authorization: 'Bearer fresh' });
		expect(await run.vault.read('fixtureOAuth2Api')).toHaveProperty(
			'oauthTokenData.access_token',
			'fresh',
		);
	});

	it.each(['filesystem', 'memory'] as const)(
		'gives files in and out, kept in %s',
		async (binaryData) => {
			const run = await runNode({
				packageFolder,
				binaryData,
				node: { type: 'fixtureAction', parameters: { do: 'upperCaseFile' } },
				items: [{ json: {}, binary: { data: { content: 'quiet', fileName: 'in.txt' } } }],
			});

			const [item] = run.outputs[0] ?? [];
			expect(item?.json).toStrictEqual({ stored: binaryData === 'filesystem' });
			expect(item?.binary?.data?.fileName).toBe('out.txt');
			expect((await readBinary(item!.binary!.data!)).toString()).toBe('QUIET');
		},
	);

	it('reports the error of the node, and the items when it continues', async () => {
		const node = {
			type: 'fixtureAction',
			parameters: { do: 'fail', text: '=no {{ $json.word }}' },
		};
		const items = [{ word: 'one' }, { word: 'two' }];
		const failed = await runNode({ packageFolder, node, items });
		const continued = await runNode({
			packageFolder,
			node: { ...node, onError: 'continueRegularOutput' },
			items,
		});
		const split = await runNode({
			packageFolder,
			node: { ...node, onError: 'continueErrorOutput' },
			items,
		});

		expect(failed).toMatchObject({
			executionStatus: 'error',
			status: 'error',
			error: {
				name: 'NodeOperationError',
				message: 'no one',
				description: 'What to do about it',
				itemIndex: 0,
			},
		});
		expect(continued.executionStatus).toBe('success');
		expect(continued.outputs[0]).toStrictEqual([
			{ json: { error: 'no one' }, pairedItem: { item: 0 } },
			{ json: { error: 'no two' }, pairedItem: { item: 1 } },
		]);
		expect(split.outputs.map((output) => output.length)).toStrictEqual([0, 2]);
	});

	it('shows an error as it is in memory, in the stored execution and in the log', async () => {
		server.respond(() => ({ status: 500, body: { message: 'words of the service' } }));
		const run = await runNode({
			packageFolder,
			node: { type: 'fixtureAction', parameters: { do: 'request', url: server.origin } },
			credentials: { fixtureApi: { token: 'secret-1' } },
		});

		expect(run.error).toMatchObject({ name: 'NodeApiError', httpCode: '500' });
		expect(run.error?.everything()).toContain('words of the service');
		expect(run.stored()).toContain('words of the service');
		for (const text of [run.error?.everything(), run.stored(), JSON.stringify(run.log)]) {
			expect(text).not.toContain('secret-1');
		}
	});

	it('cancels a running execution', async () => {
		const stop = new AbortController();
		server.respond(async () => {
			stop.abort();
			return await new Promise(() => {});
		});
		const running = runNode({
			packageFolder,
			node: { type: 'fixtureAction', parameters: { do: 'request', url: server.origin } },
			credentials: { fixtureApi: { token: 'secret-1' } },
			signal: stop.signal,
		});

		expect((await running).executionStatus).toBe('canceled');
	});

	it('retries as the settings of the node say', async () => {
		server.respond(() => {
			const attempt = server.requests.length;
			return attempt < 2 ? { status: 500 } : { body: { attempt } };
		});
		const run = await runNode({
			packageFolder,
			node: {
				type: 'fixtureAction',
				parameters: { do: 'request', url: server.origin },
				retryOnFail: true,
				maxTries: 2,
				waitBetweenTries: 1,
			},
			credentials: { fixtureApi: { token: 'secret-1' } },
		});

		expect(run.outputs[0]?.[0]?.json).toStrictEqual({ attempt: 2 });
	});
});

describe('runWorkflow', () => {
	const node = (name: string, type: string, parameters = {}) => ({
		id: name,
		name,
		type,
		typeVersion: 1,
		position: [0, 0] as [number, number],
		parameters,
		credentials: { fixtureApi: { id: 'of-another-installation', name: 'Fixture' } },
	});
	const to = (name: string) => ({ main: [[{ node: name, type: 'main' as const, index: 0 }]] });
	const workflow = {
		nodes: [
			node('Trigger', 'n8n-nodes-fixture.fixtureTrigger'),
			node('First', 'n8n-nodes-fixture.fixtureAction', { text: '={{ $json.id }}' }),
			node('Second', 'n8n-nodes-fixture.fixtureAction', {
				text: "={{ $('Trigger').item.json.id }}",
			}),
			node('End', 'n8n-nodes-base.noOp'),
		],
		connections: { Trigger: to('First'), First: to('Second'), Second: to('End') },
	};

	it('runs several nodes on what a trigger has emitted', async () => {
		const run = await runWorkflow(workflow, {
			packageFolder,
			startNode: 'Trigger',
			items: [{ id: 'a' }, { id: 'b' }],
		});

		expect(run.status).toBe('success');
		expect(run.nodes.End?.[0]?.outputs[0]?.map(({ json }) => json)).toStrictEqual([
			{ text: 'a' },
			{ text: 'b' },
		]);
	});

	it('polls when the trigger is given nothing, and uses the credentials of the test', async () => {
		server.respond(() => ({ body: { items: [{ id: 'polled' }] } }));
		const nodes = workflow.nodes.map((each) =>
			each.name === 'Trigger' ? { ...each, parameters: { url: server.origin } } : each,
		);
		const run = await runWorkflow(
			{ ...workflow, nodes },
			{ packageFolder, startNode: 'Trigger', credentials: { fixtureApi: { token: 'secret-1' } } },
		);

		expect(run.nodes.End?.[0]?.outputs[0]?.[0]?.json).toStrictEqual({ text: 'polled' });
		expect(server.requests[0]?.headers['x-token']).toBe('secret-1');
		expect(run.stored()).not.toContain('secret-1');
	});

	it('says where it ended with an error', async () => {
		const run = await runWorkflow(workflow, { packageFolder, startNode: 'Trigger' });

		expect(run.status).toBe('error');
		expect(run.error?.message).toContain('of-another-installation');
		expect(Object.keys(run.nodes)).toStrictEqual(['Trigger']);
	});
});
