import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { IDataObject, IExecuteData, INode } from 'n8n-workflow';
import type * as CallQueueModule from '../../../transport/queue/callQueue';
import type * as ConnectModule from '../../../transport/connect';
import type { Call, CallContext } from '../../../transport/call';
import type { Connection } from '../../../transport/connection';
import { createAdditionalData } from '../engine/additionalData.cts';
import { captureLog } from '../engine/capturedLog.cts';
import type { CredentialVault } from '../engine/credentialVault.cts';
import { createVault } from '../engine/credentialVault.cts';
import { describeError } from '../engine/describedError.cts';
import type { DescribedError } from '../engine/describedError.cts';
import { asStored, engine, intoEngine } from '../engine/engine.cts';
import { loadPackage, REPOSITORY } from '../engine/loadedPackage.cts';
import { nodeRequire } from '../engine/outsideJest.cts';

/** What must be seen nowhere but in the header it belongs to. */
export const TOKEN = 'TOP-SECRET-TOKEN-1';

export interface BenchOptions {
	/** Credential type and what stands in its form. */
	credential: [type: string, data: Record<string, unknown>];
	connection: Omit<Connection, 'credentialType'>;
	/** The execution's own signal. */
	signal?: AbortSignal;
}

export interface Sent {
	body?: unknown;
	status?: number;
	error?: DescribedError;
}

/**
 * Sends a request as the HTTP Request node does with a predefined credential: in the old spelling of
 * n8n's options, following redirects.
 * @returns the status, or the error.
 */
export async function httpRequestNode(
	credential: BenchOptions['credential'],
	uri: string,
	more: IDataObject = {},
): Promise<Sent> {
	const [type, data] = credential;
	const pack = await loadPackage();
	const vault = await createVault(pack, { [type]: data });
	const context = executeContext(pack.nodeTypes, vault, type, undefined);
	const request = {
		method: 'GET' as const,
		uri,
		followRedirect: true,
		followAllRedirects: true,
		resolveWithFullResponse: true,
		...more,
	};
	return await context.helpers.requestWithAuthentication
		.call(context, type, request)
		.then(({ statusCode }: { statusCode: number }) => ({ status: statusCode }))
		.catch((error: unknown) => ({ error: describeError(error) }));
}

/** The built transport in a real execution context of n8n, where waiting costs no time. */
export interface TransportBench {
	send(call: Partial<Call>, context?: CallContext): Promise<Sent>;
	vault: CredentialVault;
	/** Milliseconds that the transport waited, on its own clock. */
	waited(): number;
	/** Everything that n8n logged since the bench was opened. */
	log(): string;
	close(): void;
}

const READ: Call = { method: 'GET', path: '/entries', idempotent: true, purpose: 'read the log' };

export async function openTransport(options: BenchOptions): Promise<TransportBench> {
	const [credentialType, data] = options.credential;
	const pack = await loadPackage();
	const vault = await createVault(pack, { [credentialType]: data });
	const context = executeContext(pack.nodeTypes, vault, credentialType, options.signal);
	const built = (name: string) => nodeRequire(join(REPOSITORY, `dist/transport/${name}.js`));
	const { connect } = built('connect') as typeof ConnectModule;
	const { CallQueue } = built('queue/callQueue') as typeof CallQueueModule;
	let skipped = 0;
	const clock = {
		now: () => Date.now() + skipped,
		monotonic: () => performance.now() + skipped,
		sleep: async (ms: number) => {
			skipped += ms;
			await Promise.resolve();
		},
	};
	const callsPerMinute = options.connection.callsPerMinute;
	const queue = new CallQueue({ clock, callsPerMinute, random: () => 0 });
	const service = connect(
		context,
		{ credentialType, ...options.connection },
		{ clock, random: () => 0, queue: () => queue },
	);
	const log = captureLog();
	const outcome = async (answer: ReturnType<typeof service.send>): Promise<Sent> =>
		await answer.then(
			({ body, status }) => asStored({ body, status }),
			(error: unknown) => ({ error: describeError(error) }),
		);
	return {
		send: async (call, callContext = {}) =>
			await outcome(service.send({ ...READ, ...call }, { signal: options.signal, ...callContext })),
		vault,
		waited: () => skipped,
		log: () => log.text(),
		close: () => log.stop(),
	};
}

/** The same with the credential of the scanning service at an address. */
export async function openScanTransport(
	origin: string,
	more: Partial<BenchOptions> = {},
): Promise<TransportBench> {
	return await openTransport({
		credential: ['contentScanApi', { environment: 'custom', baseUrl: origin, apiToken: TOKEN }],
		connection: { origin, serviceName: 'scanning service', queueKey: 'key', secrets: [TOKEN] },
		...more,
	});
}

function executeContext(
	nodeTypes: Awaited<ReturnType<typeof loadPackage>>['nodeTypes'],
	vault: CredentialVault,
	credentialType: string,
	signal: AbortSignal | undefined,
) {
	const { core, workflow: n8nWorkflow } = engine();
	const isScan = credentialType === 'contentScanApi';
	const node: INode = intoEngine({
		id: randomUUID(),
		name: 'Node under test',
		type: `n8n-nodes-content-scan.${isScan ? 'contentScan' : 'consoleAuditLog'}`,
		typeVersion: 1,
		position: [0, 0] as [number, number],
		parameters: { authentication: credentialType.includes('OAuth2') ? 'oAuth2' : 'headers' },
		credentials: vault.references(),
	});
	const workflow = new n8nWorkflow.Workflow({
		id: randomUUID(),
		nodes: [node],
		connections: {},
		active: false,
		nodeTypes,
	});
	const additionalData = createAdditionalData(vault.helper, workflow.id);
	const executeData: IExecuteData = { node, data: {}, source: null };
	return new core.ExecuteContext(
		workflow,
		node,
		additionalData,
		'manual',
		n8nWorkflow.createEmptyRunExecutionData(),
		0,
		[{ json: {} }],
		{ main: [[{ json: {} }]] },
		executeData,
		[],
		signal,
	);
}
