import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { Teardown } from '../../../scripts/demo/teardown.cts';
import { freePort } from '../../../scripts/n8n/freePort.cts';
import { OwnedProcess } from '../../../scripts/ownedProcess.cts';
import { waitUntil } from '../../../scripts/waitUntil.cts';

const READY = { everyMs: 100, withinMs: 30_000 };
const STOP_WITHIN_MS = 10_000;

/** What n8n's queue needs: the settings by which n8n uses it. */
export interface RedisServer {
	settings: Record<string, string>;
}

/**
 * A Redis of its own on a free port of the loopback interface.
 * @param folder Receives its log, and at its end what it held, uncompressed.
 */
export async function startRedis(
	program: string,
	folder: string,
	teardown: Teardown,
): Promise<RedisServer> {
	await mkdir(folder, { recursive: true });
	const port = await freePort();
	const server = await OwnedProcess.start({
		program,
		arguments: [
			...['--port', String(port), '--bind', '127.0.0.1', '--dir', folder],
			// One save, when it ends.
			...['--save', '3600 1', '--rdbcompression', 'no'],
		],
		folder,
		environment: { PATH: process.env.PATH ?? '' },
		logFile: join(folder, 'redis.log'),
	});
	teardown.add(() => server.stop('SIGTERM', STOP_WITHIN_MS));
	const ready = async () => {
		if (server.ending) throw new Error(`Redis ended while starting, with ${server.ending}.`);
		return (await answerToPing(port).catch(() => '')).startsWith('+PONG');
	};
	await waitUntil('Redis did not become ready', ready, READY);
	return {
		settings: { QUEUE_BULL_REDIS_HOST: '127.0.0.1', QUEUE_BULL_REDIS_PORT: String(port) },
	};
}

async function answerToPing(port: number): Promise<string> {
	const socket = connect(port, '127.0.0.1');
	try {
		socket.write('PING\r\n');
		const [answer] = await once(socket, 'data');
		return String(answer);
	} finally {
		socket.destroy();
	}
}
