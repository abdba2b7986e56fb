import type { FastifyInstance } from 'fastify';
import fastify from 'fastify';
import type { SandboxControls } from './controls.cts';

export function createControlServer(controls: SandboxControls): FastifyInstance {
	const app = fastify({ forceCloseConnections: true });
	app.get('/state', () => controls.settings);
	return app;
}
