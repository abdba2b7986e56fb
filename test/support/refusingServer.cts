import { createServer } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** Notes what it is sent and refuses all of it with 400, so that nothing follows a first call. */
export class RefusingServer {
	/** Method, address and body of each request. */
	readonly requests: string[] = [];

	private constructor(private readonly server: Server) {}

	static async open(): Promise<RefusingServer> {
		const server = createServer((request, response) => {
			void text(request).then((body) => {
				refusing.requests.push(`${request.method} ${request.url} ${unbound(request, body)}`);
				response.writeHead(400, { 'content-type': 'application/json' }).end('{"detail": "no"}');
			});
		});
		const refusing = new RefusingServer(server);
		await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
		return refusing;
	}

	get address(): string {
		return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
	}

	/** What came in since the last time. */
	take(): string[] {
		return this.requests.splice(0);
	}

	async close(): Promise<void> {
		this.server.closeAllConnections();
		await new Promise<void>((closed) => this.server.close(() => closed()));
	}
}

/** The body of an upload without the boundary, which differs from one to the next. */
function unbound({ headers }: IncomingMessage, body: string): string {
	const boundary = /boundary=([^;]+)/.exec(headers['content-type'] ?? '')?.[1];
	return boundary ? body.replaceAll(boundary, '') : body;
}
