import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Teardown } from '../../../scripts/demo/teardown.cts';

const LOOPBACK = '127.0.0.1';
const HTTPS_PORT = 443;

/** An HTTPS proxy that leads one host to a port of this machine, and refuses every other. */
export interface RedirectingProxy {
	/** What to give a client as its proxy. */
	url: string;
	/** Hosts and ports that were asked for. */
	led: string[];
	refused: string[];
}

/** n8n and npm stay as they are: they speak TLS with the host's name, and only the way is another. */
export async function startRedirectingProxy(
	host: string,
	port: number,
	teardown: Teardown,
): Promise<RedirectingProxy> {
	const proxy: RedirectingProxy = { url: '', led: [], refused: [] };
	const open = new Set<Duplex>();
	const server = createServer((_request, response) => response.writeHead(403).end());
	server.on('connect', (request, client: Duplex, head: Buffer) => {
		open.add(client);
		client.on('close', () => open.delete(client));
		client.on('error', () => client.destroy());
		const wanted = request.url ?? '';
		if (wanted !== `${host}:${HTTPS_PORT}`) {
			proxy.refused.push(wanted);
			client.end('HTTP/1.1 403 Forbidden\r\n\r\n');
			return;
		}
		proxy.led.push(wanted);
		const onward = connect(port, LOOPBACK, () => {
			client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
			onward.write(head);
			onward.pipe(client).pipe(onward);
		});
		onward.on('error', () => client.destroy());
		client.on('close', () => onward.destroy());
	});
	await new Promise<void>((resolve) => server.listen(0, LOOPBACK, resolve));
	teardown.add(async () => {
		for (const client of open) client.destroy();
		await new Promise((resolve) => server.close(resolve));
	});
	proxy.url = `http://${LOOPBACK}:${(server.address() as AddressInfo).port}`;
	return proxy;
}
