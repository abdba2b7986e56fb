import {
	FIXTURE_PACKAGE as packageFolder,
	startFixtureServer,
} from '../support/engine/fixturePackage.cts';
import type { FixtureServer } from '../support/engine/fixturePackage.cts';
import { createPollHarness } from '../support/engine/pollHarness.cts';
import type { PollHarness, PollHarnessOptions } from '../support/engine/pollHarness.cts';

/**
 * The poll harness's own tests, with the trigger of test/support/engine/fixture-package: what n8n does
 * with a poll's result and state, in its two modes of persistence.
 */
interface Answer {
	cursor?: unknown;
	items?: unknown[];
	error?: string;
}

let server: FixtureServer;
/** What the node told the server with each poll. */
let polls: Array<Record<string, string>> = [];
let answers: Array<Answer | Promise<Answer>> = [];
let harness: PollHarness;

beforeAll(async () => {
	server = await startFixtureServer();
	server.respond(async (request) => {
		polls.push(Object.fromEntries(new URL(request.url ?? '', server.origin).searchParams));
		return { body: await (answers.shift() ?? {}) };
	});
});

afterAll(async () => await server.close());

beforeEach(() => {
	polls = [];
	answers = [];
});

afterEach(async () => {
	await harness.close();
});

async function start(options: Pick<PollHarnessOptions, 'mode'> & Partial<PollHarnessOptions>) {
	harness = await createPollHarness({
		packageFolder,
		node: { type: 'fixtureTrigger', parameters: { url: server.origin } },
		credentials: { fixtureApi: { token: 'secret-1' } },
		...options,
	});
	return harness;
}

const cursors = () => polls.map(({ cursor }) => cursor);

describe('in default mode', () => {
	it('polls at activation and keeps the state of that poll, silent or not', async () => {
		await start({ mode: 'default' });
		answers = [{ cursor: 1 }, { cursor: 2, items: [{ id: 'a' }] }];
		await harness.activate();
		const silent = harness.persistedState();
		await harness.tick();

		expect(silent).toStrictEqual({ cursor: 1 });
		expect(harness.persistedState()).toStrictEqual({ cursor: 2 });
		expect(harness.executions).toStrictEqual([{ items: [{ id: 'a' }], atActivation: false }]);
		expect(polls).toMatchObject([
			{ mode: 'trigger', activation: 'activate', budget: '300000' },
			{ mode: 'trigger', activation: 'activate', budget: '300000' },
		]);
	});

	it('emits what the activation poll returns', async () => {
		await start({ mode: 'default' });
		answers = [{ cursor: 1, items: [{ id: 'a' }] }];
		await harness.activate();

		expect(harness.executions).toStrictEqual([{ items: [{ id: 'a' }], atActivation: true }]);
	});

	it('loses the state of a silent tick with the process', async () => {
		await start({ mode: 'default' });
		answers = [{ cursor: 1 }, { cursor: 2 }, { cursor: 3 }, {}];
		await harness.activate();
		await harness.tick();
		await harness.tick();
		expect(harness.persistedState()).toStrictEqual({ cursor: 1 });
		await harness.restart();

		expect(cursors()).toStrictEqual(['none', '1', '2', '1']);
		expect(polls.at(-1)).toMatchObject({ activation: 'init', pollsOfThisProcess: '1' });
	});

	it('keeps what was set before a throw, in memory only, and reports the error', async () => {
		await start({ mode: 'default' });
		answers = [{ cursor: 1 }, { cursor: 2, error: 'slow down' }, {}];
		await harness.activate();
		await harness.tick();
		await harness.tick();

		expect(cursors()).toStrictEqual(['none', '1', '2']);
		expect(harness.persistedState()).toStrictEqual({ cursor: 1 });
		expect(harness.errors).toMatchObject([
			{ name: 'NodeApiError', message: 'slow down', httpCode: '429', atActivation: false },
		]);
	});

	it('lets polls overlap, both with the same state', async () => {
		await start({ mode: 'default' });
		answers = [
			{ cursor: 1 },
			{ cursor: 2, items: [{ id: 'a' }] },
			{ cursor: 2, items: [{ id: 'a' }] },
		];
		await harness.activate();
		await harness.overlappingTicks(2);

		expect(cursors()).toStrictEqual(['none', '1', '1']);
		expect(harness.emittedItems()).toStrictEqual([{ id: 'a' }, { id: 'a' }]);
	});

	it('fails the activation when its poll throws', async () => {
		await start({ mode: 'default' });
		answers = [{ cursor: 1, error: 'no access' }];

		await expect(harness.activate()).rejects.toThrow(
			'There was a problem activating the workflow: "no access"',
		);
		await expect(harness.tick()).rejects.toThrow('not active');
		expect(harness.errors).toMatchObject([{ message: 'no access', atActivation: true }]);
	});

	it.each([
		['stateSavedOnly', { cursor: 2 }, []],
		['executionStartedOnly', { cursor: 1 }, [{ id: 'a' }]],
		['beforeSaving', { cursor: 1 }, []],
	] as const)('crashes with %s', async (crash, state, emitted) => {
		await start({ mode: 'default' });
		answers = [{ cursor: 1 }, { cursor: 2, items: [{ id: 'a' }] }];
		await harness.activate();
		await harness.tick({ crash });

		expect(harness.persistedState()).toStrictEqual(state);
		expect(harness.emittedItems()).toStrictEqual(emitted);
		await expect(harness.tick()).rejects.toThrow('not running');
		await harness.restart();
		expect(cursors().at(-1)).toBe(String(state.cursor));
	});

	it('goes on from an earlier state after it was rewound', async () => {
		await start({ mode: 'default' });
		answers = [{ cursor: 1 }, { cursor: 2, items: [{ id: 'a' }] }];
		await harness.activate();
		const earlier = harness.snapshot();
		await harness.tick();
		harness.rewind(earlier);
		await harness.restart();

		expect(cursors()).toStrictEqual(['none', '1', '1']);
	});

	it('loses the state with the name of the node', async () => {
		await start({ mode: 'default' });
		answers = [{ cursor: 1 }];
		await harness.activate();
		await harness.rename('Other name');

		expect(cursors()).toStrictEqual(['none', 'none']);
		expect(polls.at(-1)).toMatchObject({ activation: 'update' });
	});
});

describe('with durable cursors', () => {
	it('drops the state of a silent activation poll, keeps that of a silent tick', async () => {
		await start({ mode: 'durable' });
		answers = [{ cursor: 1 }, { cursor: 2 }, { cursor: 3, items: [{ id: 'a' }] }];
		await harness.activate();
		expect(harness.persistedState()).toStrictEqual({});
		await harness.tick();
		expect(harness.persistedState()).toStrictEqual({ cursor: 2 });
		await harness.tick();

		expect(cursors()).toStrictEqual(['none', 'none', '2']);
		expect(harness.persistedState()).toStrictEqual({ cursor: 3 });
		expect(harness.executions).toStrictEqual([{ items: [{ id: 'a' }], atActivation: false }]);
		expect(polls).toMatchObject([
			{ activation: 'activate', budget: '300000' },
			{ activation: 'update', budget: '36000' },
			{ activation: 'update', budget: '36000' },
		]);
	});

	it('rolls back what was set before a throw', async () => {
		await start({ mode: 'durable' });
		answers = [{}, { cursor: 1 }, { cursor: 2, error: 'slow down' }, {}];
		await harness.activate();
		await harness.tick();
		await harness.tick();
		await harness.tick();

		expect(cursors()).toStrictEqual(['none', 'none', '1', '1']);
		expect(harness.errors).toMatchObject([{ message: 'slow down' }]);
	});

	it('does not poll at a restart, and keeps the state under any name', async () => {
		await start({ mode: 'durable' });
		answers = [{ cursor: 1, items: [{ id: 'a' }] }];
		await harness.activate();
		await harness.restart();
		expect(polls).toHaveLength(1);
		await harness.rename('Other name');
		await harness.tick();

		expect(cursors()).toStrictEqual(['none', '1', '1']);
	});

	it('loses state and execution together in a crash', async () => {
		await start({ mode: 'durable' });
		answers = [{}, { cursor: 1, items: [{ id: 'a' }] }];
		await harness.activate();
		await harness.tick({ crash: 'beforeSaving' });

		expect(harness.persistedState()).toStrictEqual({});
		expect(harness.executions).toStrictEqual([]);
	});

	it('drops the result of a poll that took too long', async () => {
		await start({ mode: 'durable' });
		answers = [{}, { cursor: 1, items: [{ id: 'a' }] }];
		await harness.activate();
		await harness.tick({ abandoned: true });

		expect(harness.persistedState()).toStrictEqual({});
		expect(harness.executions).toStrictEqual([]);
	});
});

describe('in both modes', () => {
	it.each(['default', 'durable'] as const)(
		'drops what a poll returns after the kill (%s)',
		async (mode) => {
			await start({ mode });
			let release: (answer: Answer) => void = () => {};
			answers = [{}, new Promise<Answer>((resolve) => (release = resolve))];
			await harness.activate();
			const underWay = harness.tick();
			harness.kill();
			release({ cursor: 1, items: [{ id: 'a' }] });
			await underWay;

			expect(harness.executions).toStrictEqual([]);
			expect(harness.persistedState()).toStrictEqual(mode === 'durable' ? {} : undefined);
		},
	);

	it('fetches a test event without changing anything', async () => {
		await start({ mode: 'default' });
		answers = [{ cursor: 9, items: [{ id: 'a' }] }, {}, { error: 'no data' }];

		expect(await harness.manual()).toStrictEqual({ items: [{ id: 'a' }] });
		expect(await harness.manual()).toStrictEqual({ items: null });
		expect(await harness.manual()).toMatchObject({ items: null, error: { message: 'no data' } });
		expect(harness.persistedState()).toBeUndefined();
		expect(harness.executions).toStrictEqual([]);
		expect(polls[0]).toMatchObject({ cursor: 'none', mode: 'manual', activation: 'manual' });
	});

	it('shows the node another time and another budget', async () => {
		await start({ mode: 'default', clock: { now: () => 1234 }, pollBudgetMs: 'absent' });
		await harness.activate();

		expect(polls).toMatchObject([{ now: '1234', budget: 'absent' }]);
	});

	it('hands executions over instead of keeping them', async () => {
		const items: unknown[] = [];
		await start({ mode: 'default', onExecution: (execution) => items.push(...execution.items) });
		answers = [{ cursor: 1, items: [{ id: 'a' }] }];
		await harness.activate();

		expect(items).toEqual([{ id: 'a' }]);
		expect(harness.executions).toStrictEqual([]);
	});

	it('records the log and measures the state', async () => {
		await start({ mode: 'default' });
		answers = [{ cursor: 'x'.repeat(100) }];
		await harness.activate();

		expect(harness.log.entries).toContainEqual(
			expect.objectContaining({ level: 'info', message: 'Polled' }),
		);
		expect(harness.log.text()).not.toContain('secret-1');
		expect(harness.largestStateBytes).toBe(JSON.stringify({ cursor: 'x'.repeat(100) }).length);
	});
});
