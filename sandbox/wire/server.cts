import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import fastify from 'fastify';
import type { Clock } from '../clock.cts';
import type { Environment } from '../fixtures/accounts.cts';
import type { Settings } from '../settings.cts';
import { applyFault } from './faultEffects.cts';
import type { Faults } from './faults.cts';
import type { Journal, JournalEntry, ServiceName } from './journal.cts';
import { Refusal } from './refusal.cts';

/** What every listener of the sandbox shares. */
export interface Surroundings {
	clock: Clock;
	settings: Settings;
	journal: Journal;
	faults: Faults;
}

export interface ServerRole {
	environment: Environment | null;
	serviceOf(path: string): ServiceName;
	/** The form in which this service reports an error that the HTTP framework found. */
	refuse(status: number, text: string): Refusal;
}

const journalEntries = new WeakMap<FastifyRequest, JournalEntry>();

/** Names the caller in the journal, by label and never by the secret. */
export function labelCaller(request: FastifyRequest, label: string): void {
	const entry = journalEntries.get(request);
	if (entry) entry.credential = label;
}

/**
 * A server that writes the journal, takes `Date` from the clock, applies faults before anything
 * else happens, and turns a thrown `Refusal` into its answer.
 */
export function createServer(around: Surroundings, role: ServerRole): FastifyInstance {
	const { clock, settings, journal, faults } = around;
	const date = dateHeader(() => clock.now() + settings.dateSkewMs);
	const app = fastify({
		forceCloseConnections: true,
		bodyLimit: 1024 * 1024,
		routerOptions: { maxParamLength: 4_096 },
		exposeHeadRoutes: false,
	});
	app.server.on('connection', closeInStages);

	app.addHook('onRequest', (request, reply, done) => {
		const url = request.raw.url ?? '/';
		const mark = url.indexOf('?');
		const service = role.serviceOf(mark < 0 ? url : url.slice(0, mark));
		const entry = journal.begin(clock.now(), service, role.environment, request.method, url);
		journalEntries.set(request, entry);
		void reply.header('date', date());
		const fault = faults.take(entry);
		if (!fault) return done();
		void applyFault(fault, {
			response: reply.raw,
			clock,
			date,
			proceed: done,
			takeOver: () => reply.hijack(),
			answered: (status) => journal.answered(entry, status),
		});
	});

	app.addHook('onSend', (request, reply, payload, done) => {
		const entry = journalEntries.get(request);
		if (entry) journal.answered(entry, reply.statusCode);
		done(null, payload);
	});

	app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
		const status = error.statusCode ?? 500;
		const text = status < 500 ? error.message : 'A server error occurred.';
		const refusal = error instanceof Refusal ? error : role.refuse(status, text);
		return reply.code(refusal.status).headers(refusal.headers).send(refusal.body);
	});
	return app;
}

/**
 * As web servers close (RFC 9112, section 9.6): what is still on its way is read. Otherwise the
 * answer to an upload that was not read to its end can be lost on the way.
 */
function closeInStages(socket: Socket): void {
	socket.destroySoon = () => socket.end();
}

/** The `Date` header of a moment, made once per second. */
function dateHeader(now: () => number): () => string {
	let second = NaN;
	let text = '';
	return () => {
		const current = Math.floor(now() / 1000);
		if (current !== second) {
			second = current;
			text = new Date(current * 1000).toUTCString();
		}
		return text;
	};
}
