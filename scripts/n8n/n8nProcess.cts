import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import axios from 'axios';
import { ActionableError } from '../actionableError.cts';
import { endOfLog, OwnedProcess } from '../ownedProcess.cts';
import { waitUntil } from '../waitUntil.cts';
import type { N8nHost } from './host.cts';

/** The first start on an empty folder migrates the database: seconds here, more on a busy machine. */
const READY_WITHIN_MS = 240_000;
const READY_POLL_MS = 200;
/** n8n itself gives up after the 10 s that its environment grants. */
const STOP_WITHIN_MS = 15_000;

export interface N8nCommand {
	host: N8nHost;
	/** What n8n is to be, with its options: `start`, or `worker`. */
	arguments: readonly string[];
	/** Holds `.n8n/` with the key and the community packages; made when missing. */
	userFolder: string;
	environment: Record<string, string>;
	/** Where it tells that it is ready. */
	url: string;
	/** Name of the file in the user folder that receives its log. */
	logName: string;
}

/**
 * One process of a real n8n. It can be stopped or killed and started again on the same folder and
 * port; nothing of it outlives `stop` or `kill`.
 */
export class N8nProcess {
	readonly logFile: string;
	private process?: OwnedProcess;

	protected constructor(private readonly command: N8nCommand) {
		this.logFile = join(command.userFolder, command.logName);
	}

	get userFolder(): string {
		return this.command.userFolder;
	}

	get pid(): number | undefined {
		return this.process?.pid;
	}

	/**
	 * Starts the process and waits until n8n answers.
	 * @throws ActionableError with the end of its log when it ends or stays silent
	 */
	async start(): Promise<void> {
		if (this.process) throw new Error('This n8n is running already.');
		const { host, userFolder, environment } = this.command;
		await mkdir(userFolder, { recursive: true });
		this.process = await OwnedProcess.start({
			program: host.node.binary,
			arguments: [host.script, ...this.command.arguments],
			folder: userFolder,
			environment,
			logFile: this.logFile,
		});
		await this.waitUntilReady(this.process);
	}

	/**
	 * Asks n8n to end, and ends it by force when it does not within 15 seconds. The copy of its editor
	 * that every start makes anew goes with it: n8n's lint would read 50 MB of it in a clone.
	 */
	async stop(): Promise<void> {
		await this.process?.stop('SIGTERM', STOP_WITHIN_MS);
		this.process = undefined;
		await rm(join(this.userFolder, '.cache'), { recursive: true, force: true });
	}

	/** Ends n8n as a power cut would (SIGKILL), its task runner with it. */
	async kill(): Promise<void> {
		await this.process?.kill();
		this.process = undefined;
	}

	/** The last lines that n8n wrote. */
	async logTail(lines?: number): Promise<string> {
		return await endOfLog(this.logFile, lines);
	}

	private async waitUntilReady(owned: OwnedProcess): Promise<void> {
		const ready = async () => {
			if (owned.ending) throw new Error(`n8n ended while starting, with ${owned.ending}.`);
			const answer = await axios
				.get(`${this.command.url}/healthz/readiness`, { timeout: 1_000, proxy: false })
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
