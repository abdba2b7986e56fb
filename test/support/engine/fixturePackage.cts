import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

/** The package with which the test engine tests itself; no other test uses it. */
export const FIXTURE_PACKAGE = join(__dirname, 'fixture-package');

export interface FixtureAnswer {
	status?: number;
	headers?: Record<string, string>;
	/** Text is sent as it is, anything else as JSON. */
	body?: unknown;
}

type Respond = (request: IncomingMessage) => FixtureAnswer | Promise<FixtureAnswer>;

/** A server on this computer that answers as a test says. */
export interface FixtureServer {
	/** `http://127.0.0.1:<port>` */
	origin: string;
	/** The requests since `reset`. */
	requests: IncomingMessage[];
	/** How to answer from now on. */
	respond(answer: Respond): void;
	/** Forgets the requests; answers with an empty object again. */
	reset(): void;
	close(): Promise<void>;
}

/** Starts one on a free port. */
export async function startFixtureServer(): Promise<FixtureServer> {
	const requests: IncomingMessage[] = [];
	const silent: Respond = () => ({ body: {} });
	let answer = silent;
	const server = createServer((request, response) => {
		requests.push(request);
		void Promise.resolve(answer(request)).then(({ status = 200, headers = {}, body }) => {
			const isText = typeof body === 'string';
			response.writeHead(status, {
				'content-type': isText ? 'text/html' : 'application/json',
				...headers,
			});
			response.end(isText ? body : JSON.stringify(body));
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		requests,
		respond: (respond) => (answer = respond),
		reset: () => {
			requests.length = 0;
			answer = silent;
		},
		close: async () => {
			server.closeAllConnections();
			await new Promise<void>((resolve) => server.close(() => resolve()));
		},
	};
}
