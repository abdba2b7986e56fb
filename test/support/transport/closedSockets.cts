import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { Socket } from 'node:net';

/** Waits until all connections that this process opens meanwhile are closed. @returns How many there were. */
export async function closedSockets(meanwhile: () => Promise<void>): Promise<number> {
	const sockets: Socket[] = [];
	const note = (event: unknown) => sockets.push((event as { socket: Socket }).socket);
	subscribe('net.client.socket', note);
	await meanwhile();
	unsubscribe('net.client.socket', note);
	const closed = sockets.map(async (socket) => socket.closed || (await once(socket, 'close')));
	await Promise.all(closed);
	return sockets.length;
}
