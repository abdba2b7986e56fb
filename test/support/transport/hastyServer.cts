import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server that answers each request as soon as the first piece of its body is there, and reads no further. */
export async function startHastyServer(
	body: string,
	{ status = 200, encoding }: { status?: number; encoding?: string } = {},
): Promise<{ origin: string; close(): void }> {
	const server = createServer((request, response) => {
		request.once('data', () => {
			const headers = { 'Content-Type': 'application/json' };
			response.writeHead(status, encoding ? { ...headers, 'Content-Encoding': encoding } : headers);
			response.end(body);
			request.socket.pause();
		});
	});
	await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
	const { port } = server.address() as AddressInfo;
	return {
		origin: `http://127.0.0.1:${port}`,
		close: () => {
			server.closeAllConnections();
			server.close();
		},
	};
}
