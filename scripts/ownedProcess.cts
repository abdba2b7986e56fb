import { open, readFile } from 'node:fs/promises';
import execa, { type ExecaChildProcess } from 'execa';

const LOG_TAIL_LINES = 25;

export interface OwnedCommand {
	program: string;
	arguments: readonly string[];
	/** Where it runs. */
	folder: string;
	/** All that it sees of the environment. */
	environment: Record<string, string>;
	/** Receives what it writes, after what is there already. */
	logFile: string;
	/** As whom it runs, if not as the user of this process. */
	user?: { uid: number; gid: number };
}

/**
 * A process in a group of its own, so that nothing of it outlives `stop` or `kill`; whatever ends this
 * process ends that group too.
 */
export class OwnedProcess {
	private readonly killAtExit = (): void => signalGroup(this.child, 'SIGKILL');

	private constructor(private readonly child: ExecaChildProcess) {
		process.once('exit', this.killAtExit);
	}

	static async start(command: OwnedCommand): Promise<OwnedProcess> {
		const log = await open(command.logFile, 'a');
		const child = execa(command.program, command.arguments, {
			cwd: command.folder,
			env: command.environment,
			extendEnv: false,
			detached: true,
			cleanup: false,
			reject: false,
			stdin: 'ignore',
			stdout: log.fd,
			stderr: log.fd,
			...command.user,
		});
		await log.close();
		return new OwnedProcess(child);
	}

	get pid(): number | undefined {
		return this.child.pid;
	}

	/** The signal or the code with which it ended; nothing while it runs. */
	get ending(): string | undefined {
		const { signalCode, exitCode } = this.child;
		return signalCode ?? (exitCode === null ? undefined : String(exitCode));
	}

	/** Asks it to end, and ends it by force when it does not in time. */
	async stop(signal: NodeJS.Signals, withinMs: number): Promise<void> {
		signalGroup(this.child, signal);
		const timer = setTimeout(() => signalGroup(this.child, 'SIGKILL'), withinMs);
		await this.child;
		clearTimeout(timer);
		await this.kill();
	}

	/** Ends it as a power cut would (SIGKILL), and what it started with it. */
	async kill(): Promise<void> {
		signalGroup(this.child, 'SIGKILL');
		await this.child;
		process.off('exit', this.killAtExit);
	}
}

/** The last lines of a log; nothing when there is none. */
export async function endOfLog(logFile: string, lines = LOG_TAIL_LINES): Promise<string> {
	const text = await readFile(logFile, 'utf8').catch(() => '');
	return text.trimEnd().split('\n').slice(-lines).join('\n');
}

/** That the group is gone already is fine. */
function signalGroup(child: ExecaChildProcess, signal: NodeJS.Signals): void {
	if (child.pid === undefined) return;
	try {
		process.kill(-child.pid, signal);
	} catch (error) {
		if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
	}
}
