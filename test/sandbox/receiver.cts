import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedCall {
	method: string;
	path: string;
	headers: IncomingMessage['headers'];
	body: string;
}

/** A status, or an answer with JSON. */
export type ReceiverAnswer = number | { status: number; json: unknown };

/** A server on this computer that keeps what it gets. */
export interface Receiver {
	origin: string;
	received: ReceivedCall[];
	/** What it answers: 200 with no body unless a test says otherwise. */
	answer: (call: ReceivedCall) => ReceiverAnswer;
	close(): void;
}

export async function openReceiver(status = 200): Promise<Receiver> {
	const receiver: Receiver = {
		origin: '',
		received: [],
		answer: () => status,
		close: () => server.close(),
	};
	const server = createServer((request, response) => {
		let body = '';
		request.on('data', (piece) => (body += piece));
		request.on('end', () => {
			const { method = '', url: path = '', headers } = request;
			const call = { method, path, headers, body };
			receiver.received.push(call);
			const answer = receiver.answer(call);
			if (typeof answer === 'number') return response.writeHead(answer).end();
			response.writeHead(answer.status, { 'content-type': 'application/json' });
			return response.end(JSON.stringify(answer.json));
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	receiver.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	return receiver;
}
