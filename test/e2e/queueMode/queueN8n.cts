import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { demoSignIn } from '../../../scripts/demo/startDemo.cts';
import { placeCommunityPackage } from '../../../scripts/n8n/communityPackage.cts';
import { N8nInstance } from '../../../scripts/n8n/n8nInstance.cts';
import { N8nWorker } from '../../../scripts/n8n/n8nWorker.cts';
import { SOON_READY } from '../triggerInN8n/pollingN8n.cts';
import type { QueueContext } from './queueSetting.cts';

/** Two slots each, so that four long executions are on both workers for certain. */
const WORKER_CONCURRENCY = 2;
const WORKER_NAMES = ['worker-1', 'worker-2'];

/**
 * n8n notices that a worker is dead once the lock on its jobs has run out; a minute by default, and
 * looked for twice a minute.
 */
const SOON_STALLED: Record<string, string> = {
	QUEUE_WORKER_LOCK_DURATION: '5000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '1000',
	QUEUE_WORKER_STALLED_INTERVAL: '3000',
};

const STARTED = /Worker started execution (\d+) /g;

/** n8n in queue mode: a main process and two workers. */
export class QueueN8n {
	/** By name; each has a folder with the package of its own, as on computers of their own. */
	readonly workers: ReadonlyMap<string, N8nWorker>;
	private mainProcess: N8nInstance;

	private constructor(
		private readonly context: QueueContext,
		private readonly settings: Record<string, string>,
		main: N8nInstance,
		workers: ReadonlyMap<string, N8nWorker>,
	) {
		this.mainProcess = main;
		this.workers = workers;
		context.teardown.add(() => this.stop());
	}

	/**
	 * @param services The settings by which n8n uses Redis and PostgreSQL.
	 * @param ofMain Further ones of the main process.
	 */
	static async create(
		context: QueueContext,
		services: Record<string, string>,
		ofMain: Record<string, string>,
	): Promise<QueueN8n> {
		const { host, tarball, folder } = context;
		const settings = {
			...SOON_READY,
			...SOON_STALLED,
			...services,
			EXECUTIONS_MODE: 'queue',
			N8N_ENCRYPTION_KEY: randomBytes(24).toString('hex'),
		};
		const userFolder = join(folder, 'main');
		await placeCommunityPackage(userFolder, tarball);
		const main = await N8nInstance.create({
			host,
			userFolder,
			settings: { ...settings, ...ofMain },
		});
		const workers = new Map<string, N8nWorker>();
		for (const name of WORKER_NAMES) {
			await placeCommunityPackage(join(folder, name), tarball);
			const concurrency = WORKER_CONCURRENCY;
			const own = { host, userFolder: join(folder, name), concurrency, settings };
			workers.set(name, await N8nWorker.create(own));
		}
		return new QueueN8n(context, settings, main, workers);
	}

	get main(): N8nInstance {
		return this.mainProcess;
	}

	/** The main process first: it makes the tables. */
	async start(): Promise<void> {
		await this.main.start();
		await this.main.session.signIn(demoSignIn);
		await Promise.all([...this.workers.values()].map((worker) => worker.start()));
	}

	/** Starts the main process, which is off, with further settings from now on. */
	async startMainWith(further: Record<string, string>): Promise<void> {
		const { host } = this.context;
		const { userFolder, url } = this.main;
		const settings = { ...this.settings, ...further };
		const port = Number(new URL(url).port);
		this.mainProcess = await N8nInstance.create({ host, userFolder, port, settings });
		await this.main.start();
		await this.main.session.signIn(demoSignIn);
	}

	/** The executions that each worker has begun, by its log, in the order of their beginning. */
	async startedExecutions(): Promise<Map<string, number[]>> {
		const started = new Map<string, number[]>();
		for (const [name, { logFile }] of this.workers) {
			const log = await readFile(logFile, 'utf8').catch(() => '');
			started.set(
				name,
				[...log.matchAll(STARTED)].map(([, id]) => Number(id)),
			);
		}
		return started;
	}

	private async stop(): Promise<void> {
		const all = [this.main, ...this.workers.values()];
		await Promise.all(all.map((n8n) => n8n.stop()));
	}
}
