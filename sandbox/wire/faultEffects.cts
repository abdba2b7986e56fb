import type { ServerResponse } from 'node:http';
import { Readable, pipeline } from 'node:stream';
import type { Clock } from '../clock.cts';
import { realSleep } from '../clock.cts';
import { isJsonObject, parseJson } from '../jsonValue.cts';
import type { FaultBody, FaultEffect } from './faults.cts';

type Headers = Record<string, string>;
interface PlainAnswer {
	status: number;
	headers: Headers;
	text: string;
}

/** The call a fault is applied to. */
export interface SpoiledCall {
	response: ServerResponse;
	clock: Clock;
	/** The `Date` header of now. */
	date(): string;
	/** Lets the service answer as if nothing were wrong. */
	proceed(): void;
	/** Tells the server that the answer is no longer its business. */
	takeOver(): void;
	/** For the journal: what was answered. */
	answered(status: number): void;
}

/** Applies a fault to a call: waits, then spoils the service's answer or sends one in its place. */
export async function applyFault(effect: FaultEffect, call: SpoiledCall): Promise<void> {
	if (effect.delayMs) await (call.clock.sleep?.(effect.delayMs) ?? realSleep(effect.delayMs));
	if (isOnlyDelay(effect)) {
		call.proceed();
	} else if (isCarriedOut(effect)) {
		captureAnswer(call.response, (real) => sendSpoiled(effect, call, real));
		call.proceed();
	} else {
		call.takeOver();
		sendSpoiled(effect, call, { status: 200, headers: {}, text: '{}' });
	}
}

function isOnlyDelay(effect: FaultEffect): boolean {
	const { hang, status, headers, body, retryAfter, redirectTo, cut } = effect;
	return [hang, status, headers, body, retryAfter, redirectTo, cut].every((part) => !part);
}

function isCarriedOut(effect: FaultEffect): boolean {
	if (effect.carryOut !== undefined) return effect.carryOut;
	if (typeof effect.body === 'object' && 'without' in effect.body) return true;
	return effect.body === undefined && (effect.cut === 'duringBody' || effect.cut === 'afterBody');
}

/** Keeps the service's answer from being sent and hands it over instead. */
function captureAnswer(response: ServerResponse, done: (answer: PlainAnswer) => void): void {
	const { writeHead, end } = response;
	let status = 200;
	const headers: Headers = {};
	response.writeHead = function capture(code: number, ...rest: unknown[]): ServerResponse {
		status = code;
		for (const [name, value] of Object.entries(rest.find(isJsonObject) ?? {})) {
			headers[name.toLowerCase()] = String(value);
		}
		return response;
	} as ServerResponse['writeHead'];
	response.end = function finish(chunk?: unknown): ServerResponse {
		response.writeHead = writeHead;
		response.end = end;
		const text = Buffer.isBuffer(chunk) || typeof chunk === 'string' ? String(chunk) : '';
		done({ status, headers, text });
		return response;
	} as ServerResponse['end'];
}

function sendSpoiled(effect: FaultEffect, call: SpoiledCall, real: PlainAnswer): void {
	if (effect.hang) return;
	const { response } = call;
	if (effect.cut === 'beforeAnswer') {
		response.socket?.destroy();
		return;
	}
	const status = effect.status ?? (effect.redirectTo === undefined ? real.status : 302);
	const stream = bodyStream(effect.body);
	const { text, contentType } = bodyText(effect.body, real);
	const headers: Headers = {
		...withoutLength(real.headers),
		date: call.date(),
		'content-type': contentType,
		...lengthHeader(effect.body, text),
		...retryAfterHeader(effect, call.date()),
		...(effect.redirectTo === undefined ? {} : { location: effect.redirectTo }),
		...effect.headers,
	};
	call.answered(status);
	response.writeHead(status, headers);
	if (stream) pipeline(stream, response, () => undefined);
	else sendText(response, text, effect);
}

function sendText(response: ServerResponse, text: string, { cut }: FaultEffect): void {
	if (cut === undefined) {
		response.end(text);
		return;
	}
	const bytes = Buffer.from(text);
	const share = { beforeAnswer: 0, beforeBody: 0, duringBody: 0.5, afterBody: 1 }[cut];
	response.flushHeaders();
	if (share > 0) response.write(bytes.subarray(0, Math.ceil(bytes.length * share)));
	response.socket?.destroySoon();
}

function bodyText(
	body: FaultBody | undefined,
	real: PlainAnswer,
): { text: string; contentType: string } {
	const json = 'application/json; charset=utf-8';
	if (body === undefined) {
		return { text: real.text, contentType: real.headers['content-type'] ?? json };
	}
	if (body === 'loginPage') return { text: loginPage, contentType: 'text/html; charset=utf-8' };
	if (body === 'notJson') return { text: 'items: broken', contentType: json };
	if (body === 'wrongShape') return { text: '{"unexpected": [1, 2, 3]}', contentType: json };
	if (typeof body === 'string') return { text: '', contentType: json };
	if ('json' in body) return { text: JSON.stringify(body.json), contentType: json };
	if ('text' in body) return body;
	if ('bytes' in body) return { text: '', contentType: json };
	const parsed = parseJson(real.text);
	if (!isJsonObject(parsed)) return { text: real.text, contentType: json };
	for (const name of body.without) delete parsed[name];
	return { text: JSON.stringify(parsed), contentType: json };
}

const loginPage =
	'<!DOCTYPE html><html><head><title>Sign in</title></head><body><form method="post">' +
	'<label>User <input name="user"></label><label>Password <input type="password" name="password">' +
	'</label><button>Sign in</button></form></body></html>';

function withoutLength(headers: Headers): Headers {
	return Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'content-length'));
}

/** An endless body has no length; a huge one says in advance how long it is. */
function lengthHeader(body: FaultBody | undefined, text: string): Headers {
	if (body === 'endless' || body === 'drip') return {};
	const bytes = typeof body === 'object' && 'bytes' in body ? body.bytes : Buffer.byteLength(text);
	return { 'content-length': String(bytes) };
}

function retryAfterHeader({ retryAfter }: FaultEffect, now: string): Headers {
	if (!retryAfter) return {};
	if ('seconds' in retryAfter) return { 'retry-after': String(retryAfter.seconds) };
	const at = new Date(Date.parse(now) + retryAfter.dateInSeconds * 1000);
	return { 'retry-after': at.toUTCString() };
}

/** The bodies that are too long to be held: an endless one, a slow endless one, a huge one. */
function bodyStream(body: FaultBody | undefined): Readable | undefined {
	if (body === 'endless') return Readable.from(endlessJson());
	if (body === 'drip') return Readable.from(drippingJson());
	if (typeof body === 'object' && 'bytes' in body) return Readable.from(hugeJson(body.bytes));
	return undefined;
}

const chunk = Buffer.alloc(64 * 1024, 'a');

function* endlessJson(): Generator<Buffer> {
	yield Buffer.from('{"padding": "');
	for (;;) yield chunk;
}

async function* drippingJson(): AsyncGenerator<Buffer> {
	yield Buffer.from('{"padding": "');
	for (;;) {
		await realSleep(100);
		yield chunk.subarray(0, 1);
	}
}

function* hugeJson(bytes: number): Generator<Buffer> {
	const head = Buffer.from('{"padding": "');
	const tail = Buffer.from('"}');
	yield head;
	let left = bytes - head.length - tail.length;
	for (; left > 0; left -= chunk.length) yield chunk.subarray(0, Math.min(left, chunk.length));
	yield tail;
}
