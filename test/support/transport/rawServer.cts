import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { selfSigned } from './selfSigned.cts';

/** A request that arrived, whole or in part. */
export interface RawRequest {
	method: string;
	/** Path and query as they were on the wire. */
	url: string;
	headers: IncomingHttpHeaders;
	/** Names and values one after the other, as they were on the wire. */
	rawHeaders: string[];
	/** Whether the request came to its end. */
	complete: boolean;
	bodyBytes: number;
	/** The first megabyte of the body, one character per byte. */
	body: string;
	/** SHA-256 of what the part of a file holds, for uploads. */
	fileDigest?: string;
	/** Bytes of the answer that the operating system took. */
	answeredBytes(): number;
}

/** What a server does with a request whose body has arrived. */
export type Behaviour = (response: ServerResponse, request: RawRequest) => void;

export interface RawServer {
	origin: string;
	requests: RawRequest[];
	/** One behaviour per request; the last one stays. */
	behave(...behaviours: Behaviour[]): void;
	/** Connections that are still open after those that were being closed are. */
	openSockets(): Promise<number>;
	close(): Promise<void>;
}

const KEPT = 1024 * 1024;

/** Listens on a free port of this computer; with a certificate that nobody trusts if `tls`. */
export async function startRawServer({ tls = false } = {}): Promise<RawServer> {
	const requests: RawRequest[] = [];
	let behaviours: Behaviour[] = [answer(200, '{}')];
	const serve = (message: IncomingMessage, response: ServerResponse): void => {
		const request = record(message, response);
		requests.push(request);
		message.on('error', () => undefined);
		message.on('end', () => {
			const next = behaviours.length > 1 ? behaviours.shift() : behaviours[0];
			next?.(response, request);
		});
	};
	const server = tls ? createTlsServer(selfSigned, serve) : createServer(serve);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return {
		origin: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`,
		requests,
		behave: (...list) => (behaviours = list),
		openSockets: async () => {
			const count = async () =>
				await new Promise<number>((resolve) =>
					server.getConnections((_, connections) => resolve(connections)),
				);
			for (let look = 0; look < 20 && (await count()) > 0; look++) {
				await new Promise((resolve) => setTimeout(resolve, 25));
			}
			return await count();
		},
		close: async () => {
			server.closeAllConnections();
			await new Promise<void>((resolve) => server.close(() => resolve()));
		},
	};
}

/** A port of this computer where nothing listens. */
export async function deadOrigin(): Promise<string> {
	const server = await startRawServer();
	await server.close();
	return server.origin;
}

function record(message: IncomingMessage, response: ServerResponse): RawRequest {
	const { socket } = response;
	const request: RawRequest = {
		method: message.method ?? '',
		url: message.url ?? '',
		headers: message.headers,
		rawHeaders: message.rawHeaders,
		complete: false,
		bodyBytes: 0,
		body: '',
		answeredBytes: () => socket?.bytesWritten ?? 0,
	};
	const digest = fileDigest(message.headers['content-type']);
	message.on('data', (chunk: Buffer) => {
		digest.update(chunk);
		request.bodyBytes += chunk.length;
		if (request.body.length < KEPT) request.body += chunk.toString('latin1');
	});
	message.on('end', () => {
		request.complete = message.complete;
		request.fileDigest = digest.end();
	});
	return request;
}

/** Hashes the content of the last part of a multipart body, while it arrives. */
function fileDigest(contentType = '') {
	const boundary = /boundary=(?:"([^"]+)"|([^;]+))/.exec(contentType);
	const tail = Buffer.byteLength(`\r\n--${boundary?.[1] ?? boundary?.[2] ?? ''}--\r\n`);
	const hash = createHash('sha256');
	let inFile = false;
	let held = Buffer.alloc(0);
	return {
		update(chunk: Buffer): void {
			held = Buffer.concat([held, chunk]);
			if (!inFile) {
				const file = held.indexOf('filename=');
				const start = file < 0 ? -1 : held.indexOf('\r\n\r\n', file);
				if (start < 0) return;
				inFile = true;
				held = held.subarray(start + 4);
			}
			const sure = Math.max(0, held.length - tail);
			hash.update(held.subarray(0, sure));
			held = held.subarray(sure);
		},
		end: () => (boundary && inFile ? hash.digest('hex') : undefined),
	};
}

const JSON_TYPE = { 'content-type': 'application/json' };

/** A plain answer. */
export function answer(
	status: number,
	body = '',
	headers: Record<string, string | string[]> = {},
): Behaviour {
	return (response) => response.writeHead(status, { ...JSON_TYPE, ...headers }).end(body);
}

/** Closes the connection without an answer. */
export const cutBeforeTheAnswer: Behaviour = (response) => response.socket?.destroy();

/** Closes it in the middle of the head. */
export const cutInTheHead: Behaviour = (response) =>
	response.socket?.end('HTTP/1.1 200 OK\r\nContent-Ty');

/** Closes it after the head, before the body it announced. */
export const cutAfterTheHead: Behaviour = (response) =>
	response.socket?.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n');

/** Closes it in the middle of a body of known length. */
export const cutInTheBody: Behaviour = (response) =>
	response.socket?.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"items": [');

/** Closes it in the middle of a chunked body. */
export const cutInTheChunks: Behaviour = (response) =>
	response.socket?.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"ite\r\n');

/** Says something that is not HTTP. */
export const speakNonsense: Behaviour = (response) => response.socket?.end('SSH-2.0-OpenSSH_9\r\n');

/** Sends more header bytes than any client takes. */
export const hugeHead: Behaviour = (response) =>
	response.socket?.end(`HTTP/1.1 200 OK\r\nX-Long: ${'x'.repeat(200_000)}\r\n\r\n`);

/** Says that it goes on in another protocol, and then nothing. */
export function switchProtocols(protocol: string): Behaviour {
	const upgrade = protocol && `Connection: Upgrade\r\nUpgrade: ${protocol}\r\n`;
	return (response) => response.socket?.write(`HTTP/1.1 101 Switching Protocols\r\n${upgrade}\r\n`);
}

/** Sends a piece again and again in place of an answer, as long as anyone listens. */
function again(first: string, piece: string): Behaviour {
	return ({ socket }) => {
		socket?.write(first);
		const timer = setInterval(() => socket?.write(piece), 20);
		socket?.on('close', () => clearInterval(timer));
	};
}

/** Sends early hints without end. */
export const countlessHints = again('', 'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n');

/** Sends the head of its answer, a few bytes at a time, without end. */
export const headWithoutEnd = again('HTTP/1.1 200 OK\r\nX-Long: ', 'x');

/** Never answers. */
export const staySilent: Behaviour = () => undefined;

/** Answers with a head, then a byte now and then, without end. */
export const drip: Behaviour = (response) => {
	response.writeHead(200, JSON_TYPE);
	const timer = setInterval(() => response.write(' '), 10);
	response.on('close', () => clearInterval(timer));
};

/** Answers with so many bytes of JSON, as fast as they are read. */
export function long(bytes: number, status = 200): Behaviour {
	return (response) => {
		const chunk = Buffer.alloc(64 * 1024, 'a');
		let left = bytes;
		response.writeHead(status, { ...JSON_TYPE, 'content-length': String(bytes + 2) });
		response.write('"');
		const pour = (): void => {
			while (left > 0 && !response.destroyed) {
				const part = chunk.subarray(0, Math.min(left, chunk.length));
				left -= part.length;
				if (!response.write(part)) {
					response.once('drain', pour);
					return;
				}
			}
			response.end('"');
		};
		pour();
	};
}

/** A small answer that unpacks to so many bytes. */
export function bomb(bytes: number): Behaviour {
	const packed = gzipSync(`"${' '.repeat(bytes)}"`);
	return (response) =>
		response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' }).end(packed);
}

/** Calls back once what is being sent is on its way. */
export function afterwards(callback: () => void): void {
	setTimeout(callback, 20);
}
