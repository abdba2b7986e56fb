import { n8nEnvironment } from './environment.cts';
import { freePort } from './freePort.cts';
import type { N8nHost } from './host.cts';
import { N8nProcess } from './n8nProcess.cts';

export interface N8nWorkerOptions {
	host: N8nHost;
	/** Holds `.n8n/` with the community packages; made when missing. Not that of another process. */
	userFolder: string;
	/** Executions that it runs at a time. */
	concurrency: number;
	/** The settings that it shares with the main process, as environment variables. */
	settings: Record<string, string>;
}

/** A worker of n8n's queue mode: it runs the executions that a main process has put into the queue. */
export class N8nWorker extends N8nProcess {
	/** Chooses the ports; `start` is what makes it run. */
	static async create(options: N8nWorkerOptions): Promise<N8nWorker> {
		const { host, userFolder, concurrency, settings } = options;
		const address = { port: await freePort(), runnerPort: await freePort() };
		const tellsItsHealth = {
			QUEUE_HEALTH_CHECK_ACTIVE: 'true',
			QUEUE_HEALTH_CHECK_PORT: String(address.port),
			N8N_WORKER_SERVER_ADDRESS: '127.0.0.1',
		};
		return new N8nWorker({
			host,
			arguments: ['worker', `--concurrency=${concurrency}`],
			userFolder,
			environment: n8nEnvironment(userFolder, address, { ...settings, ...tellsItsHealth }),
			url: `http://127.0.0.1:${address.port}`,
			logName: 'worker.log',
		});
	}
}
