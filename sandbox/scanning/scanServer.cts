import formbody from '@fastify/formbody';
import multipart from '@fastify/multipart';
import type { FastifyInstance } from 'fastify';
import { detail } from '../wire/refusal.cts';
import { createServer } from '../wire/server.cts';
import { guard } from './access.cts';
import { listRoutes } from './listRoutes.cts';
import type { ScanningParts } from './parts.cts';
import { remediationRoutes } from './remediationRoutes.cts';
import { submissionRoutes } from './submissionRoutes.cts';

/** One regional environment of the scanning service (docs/interface.md, Operations of the scanning service). */
export function createScanServer(parts: ScanningParts): FastifyInstance {
	const app = createServer(parts, {
		environment: parts.environment,
		serviceOf: () => 'scan',
		refuse: (status, text) => detail(status, text),
	});
	guard(app, parts);
	void app.register(formbody);
	void app.register(multipart, { throwFileSizeLimit: false });
	void app.register(async (scope) => {
		submissionRoutes(scope, parts);
		listRoutes(scope, parts);
		remediationRoutes(scope, parts);
	});
	app.setNotFoundHandler(async (request, reply) => {
		const url = request.raw.url ?? '/';
		const [path, ...query] = url.split('?');
		if (request.method === 'GET' && path.startsWith('/api/v1/') && !path.endsWith('/')) {
			return await reply.redirect([`${path}/`, ...query].join('?'), 301);
		}
		throw detail(404, 'Not found.');
	});
	return app;
}
