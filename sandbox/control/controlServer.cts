import type { FastifyInstance } from 'fastify';
import fastify from 'fastify';
import type { EntryToAppend } from '../console/appendedEntries.cts';
import type { SandboxControls } from './controls.cts';

/**
 * What a benchmark needs of a sandbox that runs in a process of its own. README.md lists the calls.
 * No answer holds a secret.
 */
export function createControlServer(controls: SandboxControls): FastifyInstance {
	const app = fastify({ forceCloseConnections: true, bodyLimit: 64 * 1024 * 1024 });
	// Clients name a content type for an empty body too.
	app.addContentTypeParser('*', (_request, _payload, done) => done(null));
	app.get('/journal', () => ({
		total: controls.journal.total,
		calls: controls.journal.entries(0),
	}));
	app.get('/us/scans', () => ({ scans: controls.scans('us') }));
	app.post<{ Body: EntryToAppend[] }>('/audit-log/entries', (request) => ({
		ids: controls.append(request.body),
	}));
	app.post('/audit-log/refuse-page-tokens', async (_request, reply) => {
		controls.refusePageTokens();
		return await reply.code(204).send();
	});
	return app;
}
