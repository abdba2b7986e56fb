import type { IAdditionalCredentialOptions, IDataObject, IHttpRequestOptions } from 'n8n-workflow';
import type { Call, CallContext } from '../../../transport/call';
import { CallQueue } from '../../../transport/queue/callQueue';
import type { StatedRate } from '../../../transport/queue/queueRegistry';
import type { Connection, RequestContext } from '../../../transport/connection';
import { connect } from '../../../transport/connect';
import { consoleNode as node } from '../../support/consoleNode.cts';
import { FakeClock } from '../../support/fakeClock.cts';

export const ORIGIN = 'https://console.example.com';

export const CALL: Call = {
	method: 'GET',
	path: '/entries',
	idempotent: true,
	purpose: 'read the log',
};

interface Response {
	status?: number;
	headers?: Record<string, string>;
	body?: unknown;
}

type Behaviour = (request: IHttpRequestOptions, attempt: number) => Response;

function bodyStream(body: unknown) {
	async function* content() {
		if (typeof body === 'function') await (body as () => Promise<void>)();
		yield new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body ?? {}));
	}
	return Object.assign(content(), {
		destroy: () => undefined,
		on: () => undefined,
		prependListener: () => undefined,
	});
}

/** A service behind a fake n8n, on a clock that only goes on when it is told. */
export function setUp(behaviour: Behaviour, connection: Partial<Connection> = {}) {
	const clock = new FakeClock();
	const requests: IHttpRequestOptions[] = [];
	const credentialOptions: Array<IAdditionalCredentialOptions | undefined> = [];
	const queues = new Map<string, CallQueue>();
	const credential: IDataObject = {};
	const context = {
		getNode: () => node,
		getCredentials: async () => credential,
		helpers: {
			httpRequestWithAuthentication: async (
				_: string,
				request: IHttpRequestOptions,
				options?: IAdditionalCredentialOptions,
			) => {
				requests.push(request);
				credentialOptions.push(options);
				const { status = 200, headers = {}, body } = behaviour(request, requests.length);
				return { statusCode: status, headers, body: bodyStream(body) };
			},
		},
	} as unknown as RequestContext;
	const queue = (key: string, { callsPerMinute }: StatedRate) => {
		const known = queues.get(key) ?? new CallQueue({ clock, callsPerMinute, random: () => 0.5 });
		queues.set(key, known);
		return known;
	};
	const service = connect(
		context,
		{
			credentialType: 'browserConsoleHeadersApi',
			origin: ORIGIN,
			serviceName: 'console',
			queueKey: 'console',
			secrets: ['TOP-SECRET-1'],
			readOnly: true,
			...connection,
		},
		{ clock, random: () => 0, queue },
	);
	const settled = async (call: Partial<Call> = {}, callContext?: CallContext) => {
		const answer = service.send({ ...CALL, ...call }, callContext);
		const outcome = answer.then(
			({ body }) => ({ body }),
			(error: Error & { description: string }) => ({ error }),
		);
		await clock.run();
		return await outcome;
	};
	return { service, clock, requests, credentialOptions, queues, credential, settled };
}
