import { randomUUID } from 'node:crypto';
import { streamOf } from '../../../support/streamOf.cts';
import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { pollAuditLog } from '../../../../nodes/ConsoleAuditLog/trigger/auditLogPoll';
import { STORED_WITHIN_MS } from '../../../../nodes/common/polling/deliveries';

/**
 * Polls that n8n prepared before it stored what another one handed over. With durable cursors each
 * poll works on a copy of the position of its own.
 */
const entries = [1, 2, 3].map((number) => ({
	auditlogId: `entry-${number}`,
	createdAt: `2026-01-01T00:00:0${number}.000Z`,
}));

const credential = {
	consoleUrl: 'http://127.0.0.1:1',
	headers: { values: [{ name: 'X-Console-Key', value: 'key' }] },
};

/** Ahead of real time, which the transport goes by. */
let aheadMs = 0;
const clock = {
	now: () => Date.now() + aheadMs,
	monotonic: () => Date.now() + aheadMs,
	sleep: async () => {},
};

/** A poll of one trigger on the position that n8n gave it; `position` is what n8n would store. */
async function poll(position: IDataObject, log: IDataObject[] = entries) {
	const parameters: IDataObject = { authentication: 'headers', startFrom: 'oldest', options: {} };
	const response = () => ({
		statusCode: 200,
		headers: { 'content-type': 'application/json' },
		body: streamOf(JSON.stringify({ items: log, nextPageToken: null })),
	});
	const context = {
		getMode: () => 'trigger',
		getNode: () => ({ id: nodeId, name: 'Trigger' }),
		getChildNodes: () => [],
		getWorkflow: () => ({ id: 'workflow' }),
		getNodeParameter: (name: string, fallback: unknown) => parameters[name] ?? fallback,
		getTimezone: () => 'UTC',
		getWorkflowStaticData: () => position,
		getCredentials: async () => credential,
		logger: { warn: () => {}, info: () => {}, debug: () => {} },
		helpers: {
			httpRequestWithAuthentication: async () => response(),
			returnJsonArray: (all: IDataObject[]) => all.map((json) => ({ json })),
		},
	} as unknown as IPollFunctions;
	const output = await pollAuditLog(context, clock);
	return output?.[0].map(({ json }) => json.auditlogId) ?? null;
}

const copy = (position: IDataObject): IDataObject => JSON.parse(JSON.stringify(position));

/** Each test has a trigger of its own. */
let nodeId = '';

beforeEach(() => (nodeId = randomUUID()));

describe('polls that come close together', () => {
	it('hand nothing over from where another one has just been', async () => {
		const stored = {};
		const handedOver = await poll(copy(stored));
		const late = await poll(copy(stored));

		expect(handedOver).toStrictEqual(['entry-1', 'entry-2', 'entry-3']);
		expect(late).toBeNull();
	});

	it('leave the position of the late one as it is, so that n8n has nothing to store', async () => {
		const stored = {};
		await poll(copy(stored));
		const position = copy(stored);
		await poll(position);

		expect(position).toStrictEqual(stored);
	});

	it('go on as soon as n8n has stored what follows', async () => {
		const position = {};
		await poll(position, entries.slice(0, 2));

		expect(await poll(copy(position))).toStrictEqual(['entry-3']);
	});

	it('recognise a position that is older than the last one', async () => {
		const first = {};
		const second = copy(first);
		await poll(second, entries.slice(0, 1));
		const third = copy(second);
		await poll(third, entries.slice(0, 2));

		expect(await poll(copy(first))).toBeNull();
		expect(await poll(copy(second))).toBeNull();
		expect(await poll(copy(third))).toStrictEqual(['entry-3']);
	});

	it('recognise a position that a silent poll left between two others', async () => {
		const stored = {};
		const silent = copy(stored);
		await poll(silent, []);
		await poll(copy(stored));

		expect(silent).not.toStrictEqual(stored);
		expect(await poll(copy(silent))).toBeNull();
	});

	it('hand over again what n8n has dropped, a minute later', async () => {
		const stored = {};
		await poll(copy(stored));
		aheadMs += STORED_WITHIN_MS;

		expect(await poll(copy(stored))).toStrictEqual(['entry-1', 'entry-2', 'entry-3']);
	});
});
