import type { AddressInfo, Socket } from 'node:net';
import { createServer } from 'node:net';
import { gzipSync } from 'node:zlib';

/** As long as before, with another checksum at its end. */
function damaged(packed: Buffer): Buffer {
	packed[packed.length - 6] ^= 255;
	return packed;
}

/**
 * A server that answers each request as soon as its first bytes are there, and then neither reads on nor closes.
 * @param isDamaged Whether the answer is compressed, with a checksum that is wrong.
 */
export async function startHastyServer(
	text: string,
	{ status = 200, isDamaged = false } = {},
): Promise<{ origin: string; close(): void }> {
	const body = isDamaged ? damaged(gzipSync(text)) : Buffer.from(text);
	const encoding = isDamaged ? 'Content-Encoding: gzip\r\n' : '';
	const head = `HTTP/1.1 ${status} X\r\nContent-Type: application/json\r\n${encoding}Content-Length: ${body.length}\r\n\r\n`;
	const sockets: Socket[] = [];
	const server = createServer({ allowHalfOpen: true }, (socket) => {
		sockets.push(socket);
		socket.on('error', () => undefined);
		socket.once('data', () => {
			socket.write(head);
			socket.write(body);
			socket.pause();
		});
	});
	await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
	const { port } = server.address() as AddressInfo;
	return {
		origin: `http://127.0.0.1:${port}`,
		close: () => {
			for (const socket of sockets) socket.destroy();
			server.close();
		},
	};
}
