import type { FastifyInstance, FastifyRequest } from 'fastify';
import fastify from 'fastify';
import type { EntryToAppend } from '../console/appendedEntries.cts';
import type { Environment, LicensedFunction, Role, TokenLabel } from '../fixtures/accounts.cts';
import {
	environments,
	licensedFunctions,
	organizations,
	sandboxTokens,
} from '../fixtures/accounts.cts';
import type { SettingsPatch } from '../settings.cts';
import type { FaultRule } from '../wire/faults.cts';
import {
	advanceSchema,
	entriesSchema,
	faultSchema,
	licenseSchema,
	revokedSchema,
	tokenSchema,
} from './bodySchemas.cts';
import type { SandboxControls } from './controls.cts';

/**
 * The controls over HTTP, for processes that the sandbox does not run in. README.md lists the calls.
 * No answer holds a secret.
 */
export function createControlServer(controls: SandboxControls): FastifyInstance {
	const app = fastify({
		forceCloseConnections: true,
		bodyLimit: 64 * 1024 * 1024,
		ajv: {
			customOptions: { removeAdditional: false, coerceTypes: false, allowUnionTypes: true },
		},
	});
	// Clients name a content type for an empty body too; a body that is not JSON is not read.
	app.addContentTypeParser('*', (_request, _payload, done) => done(null));
	app.setErrorHandler(async (error: Error & { statusCode?: number }, _request, reply) => {
		const isWrongInput =
			error instanceof RangeError || error instanceof TypeError || error instanceof SyntaxError;
		const status = error.statusCode ?? (isWrongInput ? 400 : 500);
		return await reply.code(status).send({ message: error.message });
	});
	wholeSandbox(app, controls);
	faults(app, controls);
	auditLog(app, controls);
	accounts(app, controls);
	scanning(app, controls);
	return app;
}

function wholeSandbox(app: FastifyInstance, controls: SandboxControls): void {
	app.get('/state', () => stateOf(controls));
	app.patch<{ Body: SettingsPatch }>('/settings', (request) => {
		controls.configure(request.body);
		return stateOf(controls);
	});
	app.post<{ Body: SettingsPatch | undefined }>('/reset', (request) => {
		controls.reset(request.body ?? undefined);
		return stateOf(controls);
	});
	app.post<{ Body: { ms: number } }>('/clock/advance', (request) => {
		controls.advanceClock(checkedBody(request, advanceSchema).ms);
		return { now: controls.now() };
	});
	app.get<{ Querystring: { after?: string } }>('/journal', (request) => ({
		total: controls.journal.total,
		calls: controls.journal.entries(numberOf(request.query.after, 0)),
	}));
	app.get('/log', (_request, reply) =>
		reply.type('text/plain; charset=utf-8').send(`${controls.journal.lines().join('\n')}\n`),
	);
}

function faults(app: FastifyInstance, controls: SandboxControls): void {
	app.get('/faults', () => ({ faults: controls.faults.list() }));
	app.post<{ Body: FaultRule }>('/faults', (request) => ({
		id: controls.faults.add(checkedBody(request, faultSchema)),
	}));
	app.delete('/faults', (_request, reply) => {
		controls.faults.clear();
		return reply.code(204).send();
	});
	app.delete<{ Params: { id: string } }>('/faults/:id', (request, reply) => {
		const removed = controls.faults.remove(Number(request.params.id));
		return reply.code(removed ? 204 : 404).send();
	});
}

function auditLog(app: FastifyInstance, controls: SandboxControls): void {
	app.post<{ Body: EntryToAppend[] }>('/audit-log/entries', (request) => ({
		ids: controls.append(checkedBody(request, entriesSchema)),
	}));
	app.get<{ Querystring: { from?: string; to?: string } }>('/audit-log/ids', (request) => {
		const { from, to } = request.query;
		return { ids: controls.entryIds(numberOf(from, 0), numberOf(to, Infinity)) };
	});
	app.post('/audit-log/refuse-page-tokens', (_request, reply) => {
		controls.refusePageTokens();
		return reply.code(204).send();
	});
}

function accounts(app: FastifyInstance, controls: SandboxControls): void {
	app.patch<{ Params: { label: string }; Body: { revoked?: boolean; role?: Role } }>(
		'/tokens/:label',
		(request, reply) => {
			const { label } = request.params;
			if (!isTokenLabel(label)) throw new RangeError(`There is no token "${label}"`);
			controls.changeToken(label, checkedBody(request, tokenSchema));
			return reply.code(204).send();
		},
	);
	app.patch<{ Params: { id: string }; Body: Partial<Record<LicensedFunction, boolean>> }>(
		'/organizations/:id/license',
		(request, reply) => {
			const body = checkedBody(request, licenseSchema);
			for (const name of licensedFunctions) {
				const licensed = body[name];
				if (licensed !== undefined) controls.setLicensed(request.params.id, name, licensed);
			}
			return reply.code(204).send();
		},
	);
	app.patch<{ Body: { revoked: boolean } }>('/service-account', (request, reply) => {
		controls.setServiceAccountRevoked(checkedBody(request, revokedSchema).revoked);
		return reply.code(204).send();
	});
	app.post('/bearers/revoke', (_request, reply) => {
		controls.revokeBearers();
		return reply.code(204).send();
	});
}

function scanning(app: FastifyInstance, controls: SandboxControls): void {
	type InEnvironment = { Params: { environment: string } };
	app.get<InEnvironment>('/:environment/scans', (request) => ({
		scans: controls.scans(environmentOf(request.params.environment)),
	}));
	app.get<InEnvironment>('/:environment/released', (request) => ({
		released: controls.releasedEmails(environmentOf(request.params.environment)),
	}));
	app.get<InEnvironment>('/:environment/investigations', (request) => ({
		investigations: controls.investigations(environmentOf(request.params.environment)),
	}));
	app.get<InEnvironment>('/:environment/callbacks', (request) => ({
		callbacks: controls.callbacks(environmentOf(request.params.environment)),
	}));
	app.post('/callbacks/flush', async (_request, reply) => {
		await controls.flushCallbacks();
		return await reply.code(204).send();
	});
}

/**
 * The body, checked against its schema. Compiled with its first use: most sandboxes never need it.
 * @throws RangeError naming the first thing that is wrong.
 */
function checkedBody<Body>(
	request: { body: Body } & Pick<FastifyRequest, 'compileValidationSchema'>,
	schema: object,
): Body {
	const check = request.compileValidationSchema(schema as Record<string, unknown>);
	if (check(request.body)) return request.body;
	const { instancePath, message } = check.errors?.[0] ?? {};
	throw new RangeError(`The body does not fit: ${instancePath ?? ''} ${message ?? ''}`);
}

/** Names of the console's headers, but not their values. */
function stateOf(controls: SandboxControls) {
	const { dateSkewMs, scanning: scans, console } = controls.settings;
	return {
		now: controls.now(),
		entries: controls.entryCount(),
		calls: controls.journal.total,
		faults: controls.faults.list().length,
		organizations,
		tokens: Object.keys(sandboxTokens),
		settings: {
			dateSkewMs,
			scanning: scans,
			console: { ...console, headers: Object.keys(console.headers) },
		},
	};
}

function isTokenLabel(label: string): label is TokenLabel {
	return Object.hasOwn(sandboxTokens, label);
}

function environmentOf(name: string): Environment {
	const found = environments.find((environment) => environment === name);
	if (!found) throw new RangeError(`There is no environment "${name}"`);
	return found;
}

function numberOf(text: string | undefined, fallback: number): number {
	if (text === undefined) return fallback;
	const number = Number(text);
	if (text.trim() === '' || Number.isNaN(number)) throw new RangeError(`"${text}" is no number`);
	return number;
}
