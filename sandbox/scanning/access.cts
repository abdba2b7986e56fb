import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { LicensedFunction } from '../fixtures/accounts.cts';
import { labelCaller } from '../wire/server.cts';
import { detail } from '../wire/refusal.cts';
import type { Caller } from './directory.cts';
import { roleAllows } from './directory.cts';
import type { ScanningParts } from './parts.cts';
import type { Scan } from './scanStore.cts';

/** What a path of the scanning service needs and allows. */
export interface Endpoint {
	method: 'GET' | 'POST' | 'PUT';
	needs: LicensedFunction;
}

declare module 'fastify' {
	interface FastifyContextConfig {
		endpoint?: Endpoint;
	}
}

const callers = new WeakMap<FastifyRequest, Caller>();

/** The caller of a request that passed `guard`. */
export function callerOf(request: FastifyRequest): Caller {
	const caller = callers.get(request);
	if (!caller) throw detail(401, 'Authentication credentials were not provided.');
	return caller;
}

/**
 * Lets a call pass, in the order of Django REST Framework: token (401), license and role (403),
 * rate (429), method (405).
 */
export function guard(app: FastifyInstance, parts: ScanningParts): void {
	app.addHook('onRequest', (request, reply, done) => {
		const { endpoint } = request.routeOptions.config;
		if (!endpoint) return done();
		const caller = authenticate(request, parts);
		callers.set(request, caller);
		requireFunction(parts, caller, caller.organizationId, endpoint.needs);
		throttle(parts, caller);
		if (request.method !== endpoint.method) refuseMethod(request, reply, endpoint);
		done();
	});
}

/** docs/interface.md, Authentication: `Authorization: Token <API_TOKEN>`. */
function authenticate(request: FastifyRequest, { directory }: ScanningParts): Caller {
	const challenge = { 'www-authenticate': 'Token' };
	const header = request.headers.authorization;
	if (header === undefined) {
		throw detail(401, 'Authentication credentials were not provided.', challenge);
	}
	labelCaller(request, 'unknown');
	const token = /^Token (\S+)$/.exec(header)?.[1];
	if (token === undefined) throw detail(401, 'Invalid token header.', challenge);
	const caller = directory.caller(token);
	if (caller === 'unknown') throw detail(401, 'Invalid token.', challenge);
	if (caller === 'revoked') throw detail(401, 'User inactive or deleted.', challenge);
	labelCaller(request, caller.label);
	return caller;
}

function requireFunction(
	{ directory }: ScanningParts,
	caller: Caller,
	organizationId: string,
	name: LicensedFunction,
): void {
	if (!directory.isLicensed(organizationId, name)) {
		throw detail(403, 'This function is not licensed for the organization.');
	}
	if (!roleAllows(caller.role, name)) {
		throw detail(403, 'You do not have permission to perform this action.');
	}
}

function throttle({ clock, settings, rateLimit }: ScanningParts, caller: Caller): void {
	const { callsPerMinute, retryAfter } = settings.scanning;
	const nowMs = clock.now();
	const waitMs = rateLimit.admit(caller.label, nowMs, callsPerMinute);
	if (waitMs === null) return;
	const seconds = Math.ceil(waitMs / 1000);
	const allowedAt = new Date(nowMs + settings.dateSkewMs + seconds * 1000).toUTCString();
	const headers = {
		none: undefined,
		seconds: { 'retry-after': String(seconds) },
		date: { 'retry-after': allowedAt },
	}[retryAfter];
	throw detail(429, 'Request was throttled.', headers);
}

function refuseMethod(request: FastifyRequest, reply: FastifyReply, endpoint: Endpoint): void {
	void reply.header('allow', endpoint.method);
	throw detail(405, `Method "${request.method}" not allowed.`);
}

/** The scan of an id, if the caller reaches its organization and that is licensed for what is asked. */
export function reachableScan(
	parts: ScanningParts,
	request: FastifyRequest,
	scan: Scan | undefined,
	needs: LicensedFunction,
): Scan {
	const caller = callerOf(request);
	if (!scan) throw detail(404, 'Not found.');
	if (!caller.reach.has(scan.organizationId)) {
		throw detail(403, 'The scan belongs to an organization out of reach of this token.');
	}
	requireFunction(parts, caller, scan.organizationId, needs);
	return scan;
}
