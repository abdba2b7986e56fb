import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SlowServer {
	origin: string;
	close(): void;
}

const PIECE = 256 * 1024;
const EVERY_MS = 45;

/**
 * A service that takes some 5 MB of a request in a second, and no more than `most` bytes of it. To one
 * that it has whole it answers with `body`.
 */
export async function startSlowServer(body: string, most = Infinity): Promise<SlowServer> {
	const server = createServer((request, response) => {
		let taken = 0;
		const timer = setInterval(() => {
			const chunk = taken < most ? (request.read(PIECE) as Buffer | null) : null;
			taken += chunk?.length ?? 0;
			if (request.complete && request.readableLength === 0) request.resume();
		}, EVERY_MS);
		request.on('end', () => response.end(body)).on('close', () => clearInterval(timer));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		close: () => {
			server.closeAllConnections();
			server.close();
		},
	};
}
