import { mkdir, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import axios from 'axios';
import execa, { type ExecaChildProcess } from 'execa';
import { ActionableError } from '../actionableError.cts';
import { waitUntil } from '../waitUntil.cts';
import { n8nEnvironment, type Address } from './environment.cts';
import { freePort } from './freePort.cts';
import type { N8nHost } from './host.cts';
import { N8nSession } from './session.cts';

/** The first start on an empty folder migrates the database: seconds here, more on a busy machine. */
const READY_WITHIN_MS = 240_000;
const READY_POLL_MS = 200;
/** n8n itself gives up after the 10 s that its environment grants. */
const STOP_WITHIN_MS = 15_000;
const LOG_TAIL_LINES = 25;

export interface N8nInstanceOptions {
	host: N8nHost;
	/** Holds `.n8n/` with the database, the key and the community packages; made when missing. */
	userFolder: string;
	/** A free one when not given. It stays the same over restarts. */
	port?: number;
	/** n8n settings beyond the usual ones, as environment variables. */
	settings?: Record<string, string>;
}

/**
 * One real n8n. It can be stopped or killed and started again on the same folder and port;
 * it runs in a process group of its own, so that nothing of it outlives `stop` or `kill`.
 */
export class N8nInstance {
	readonly url: string;
	readonly session: N8nSession;
	readonly logFile: string;
	private child?: ExecaChildProcess;
	/** Whatever ends this process, n8n must not outlive it. */
	private readonly killAtExit = (): void => {
		if (this.child) signalGroup(this.child, 'SIGKILL');
	};

	private constructor(
		private readonly options: N8nInstanceOptions,
		private readonly address: Address,
	) {
		this.url = `http://127.0.0.1:${address.port}`;
		this.session = new N8nSession(this.url);
		this.logFile = join(options.userFolder, 'n8n.log');
	}

	/** Chooses the ports; `start` is what makes it run. */
	static async create(options: N8nInstanceOptions): Promise<N8nInstance> {
		const port = options.port ?? (await freePort());
		return new N8nInstance(options, { port, runnerPort: await freePort() });
	}

	get userFolder(): string {
		return this.options.userFolder;
	}

	get pid(): number | undefined {
		return this.child?.pid;
	}

	/**
	 * Starts the process and waits until n8n answers.
	 * @throws ActionableError with the end of its log when it ends or stays silent
	 */
	async start(): Promise<void> {
		if (this.child) throw new Error('This n8n is running already.');
		const { host, userFolder, settings } = this.options;
		await mkdir(userFolder, { recursive: true });
		const log = await open(this.logFile, 'a');
		this.child = execa(host.node.binary, [host.script, 'start'], {
			cwd: userFolder,
			env: n8nEnvironment(userFolder, this.address, settings),
			extendEnv: false,
			detached: true,
			cleanup: false,
			reject: false,
			stdin: 'ignore',
			stdout: log.fd,
			stderr: log.fd,
		});
		process.once('exit', this.killAtExit);
		await log.close();
		await this.waitUntilReady(this.child);
	}

	/** Asks n8n to end, and ends it by force when it does not within 15 seconds. */
	async stop(): Promise<void> {
		const { child } = this;
		if (!child) return;
		signalGroup(child, 'SIGTERM');
		const timer = setTimeout(() => signalGroup(child, 'SIGKILL'), STOP_WITHIN_MS);
		await child;
		clearTimeout(timer);
		await this.kill();
	}

	/** Ends n8n as a power cut would (SIGKILL), its task runner with it. */
	async kill(): Promise<void> {
		const { child } = this;
		if (!child) return;
		signalGroup(child, 'SIGKILL');
		await child;
		this.child = undefined;
		process.off('exit', this.killAtExit);
	}

	/** The last lines that n8n wrote. */
	async logTail(lines = LOG_TAIL_LINES): Promise<string> {
		const text = await readFile(this.logFile, 'utf8').catch(() => '');
		return text.trimEnd().split('\n').slice(-lines).join('\n');
	}

	private async waitUntilReady(child: ExecaChildProcess): Promise<void> {
		const ready = async () => {
			if (child.exitCode !== null || child.signalCode !== null) {
				throw new Error(`n8n ended while starting, with ${child.signalCode ?? child.exitCode}.`);
			}
			const answer = await axios
				.get(`${this.url}/healthz/readiness`, { timeout: 1_000, proxy: false })
				.catch(() => undefined);
			return answer?.status === 200;
		};
		try {
			const patience = { everyMs: READY_POLL_MS, withinMs: READY_WITHIN_MS };
			await waitUntil('n8n did not become ready', ready, patience);
		} catch (error) {
			await this.kill();
			const message = error instanceof Error ? error.message : String(error);
			throw new ActionableError(
				`${message} The end of its log:\n${await this.logTail()}`,
				`The whole log is in ${this.logFile}.`,
			);
		}
	}
}

/** Signals n8n and its task runner; that they are gone already is fine. */
function signalGroup(child: ExecaChildProcess, signal: NodeJS.Signals): void {
	if (child.pid === undefined) return;
	try {
		process.kill(-child.pid, signal);
	} catch (error) {
		if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
	}
}
