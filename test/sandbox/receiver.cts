import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server on this computer that keeps what it gets and answers every call with one status. */
export interface Receiver {
	origin: string;
	received: Array<{
		method: string;
		path: string;
		headers: IncomingMessage['headers'];
		body: string;
	}>;
	close(): void;
}

export async function openReceiver(status = 200): Promise<Receiver> {
	const received: Receiver['received'] = [];
	const server = createServer((request, response) => {
		let body = '';
		request.on('data', (piece) => (body += piece));
		request.on('end', () => {
			const { method = '', url: path = '', headers } = request;
			received.push({ method, path, headers, body });
			response.writeHead(status).end();
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	return { origin, received, close: () => server.close() };
}
