import formbody from '@fastify/formbody';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isJsonObject } from '../jsonValue.cts';
import { message, Refusal } from '../wire/refusal.cts';
import { createServer, labelCaller } from '../wire/server.cts';
import { auditPage } from './auditPages.cts';
import type { ConsoleParts } from './parts.cts';

const tokenPath = '/oauth2/token';
const listPath = '/api/admin-audit-log-entries';
const json = 'application/json; charset=utf-8';

/** The console: audit log (docs/interface.md, Endpoints) and token endpoint (public material). */
export function createConsoleServer(parts: ConsoleParts): FastifyInstance {
	const app = createServer(parts, {
		environment: null,
		serviceOf: (path) => (path === tokenPath ? 'token' : 'console'),
		refuse: (status, text) => message(status, text),
	});
	void app.register(formbody);
	const readOnly = {
		onRequest: (request: FastifyRequest, reply: FastifyReply, done: () => void) => {
			guard(request, reply, parts);
			done();
		},
	};
	void app.register(async (scope) => {
		scope.all(listPath, readOnly, async (request, reply) => {
			const page = auditPage(request.query as Record<string, unknown>, parts);
			return await reply.header('content-type', json).send(Buffer.from(page, 'latin1'));
		});
		scope.all<{ Params: { auditlogId: string } }>(
			`${listPath}/:auditlogId`,
			readOnly,
			async (request, reply) => {
				const unknown = Object.keys(request.query as object)[0];
				if (unknown !== undefined) throw message(400, `Unknown query parameter "${unknown}".`);
				const entry = parts.log.find(request.params.auditlogId);
				if (entry === undefined) throw message(404, 'There is no such audit log entry.');
				return await reply.header('content-type', json).send(entry);
			},
		);
		scope.all(tokenPath, async (request, reply) => await grantToken(request, reply, parts));
	});
	app.setNotFoundHandler(() => {
		throw message(404, 'Not found.');
	});
	return app;
}

/** 401 without valid headers or bearer token; 405 for anything but GET (docs/interface.md: read only). */
function guard(request: FastifyRequest, reply: FastifyReply, { access }: ConsoleParts): void {
	const caller = access.callerOf(request);
	if (caller === null) {
		const sentSomething = request.headers.authorization !== undefined;
		if (sentSomething) labelCaller(request, 'unknown');
		throw message(401, 'Unauthorized.', { 'www-authenticate': 'Bearer' });
	}
	labelCaller(request, caller);
	if (request.method !== 'GET') {
		void reply.header('allow', 'GET');
		throw message(405, 'Method not allowed.');
	}
}

/** OAuth2 client credentials, as public material describes the request; errors as RFC 6749 has them. */
async function grantToken(
	request: FastifyRequest,
	reply: FastifyReply,
	{ access, settings }: ConsoleParts,
): Promise<FastifyReply> {
	if (request.method !== 'POST') throw message(405, 'Method not allowed.', { allow: 'POST' });
	const isForm = /^application\/x-www-form-urlencoded\b/i.test(
		request.headers['content-type'] ?? '',
	);
	if (!isForm || !isJsonObject(request.body)) throw new Refusal(400, { error: 'invalid_request' });
	if (!access.isServiceAccount(request.headers.authorization)) {
		labelCaller(request, 'unknown');
		const challenge = { 'www-authenticate': 'Basic realm="console"' };
		throw new Refusal(401, { error: 'invalid_client' }, challenge);
	}
	labelCaller(request, 'serviceAccount');
	const { grant_type: grantType } = request.body;
	if (grantType === undefined) throw new Refusal(400, { error: 'invalid_request' });
	if (grantType !== 'client_credentials') {
		throw new Refusal(400, { error: 'unsupported_grant_type' });
	}
	return await reply.header('cache-control', 'no-store').send({
		access_token: access.issueBearer(),
		token_type: 'Bearer',
		expires_in: settings.console.bearerLifetimeSeconds,
	});
}
