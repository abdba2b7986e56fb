import { createWriteStream } from 'node:fs';
import execa, { type ExecaChildProcess } from 'execa';
import getPort from 'get-port';
import type { Teardown } from '../../../scripts/demo/teardown.cts';
import { freePort } from '../../../scripts/n8n/freePort.cts';
import { waitUntil } from '../../../scripts/waitUntil.cts';

const HOST = '127.0.0.1';
const STARTED = { everyMs: 250, withinMs: 300_000 };
const ENDED_WITHIN_MS = 30_000;
/** n8n's, and the sandbox's two after it. */
const PORTS = 3;

/** `npm run dev` in a terminal of its own. */
export class DevCommand {
	private constructor(
		readonly port: number,
		private readonly child: ExecaChildProcess,
		private readonly output: { text: string },
	) {}

	/** Starts it in a tree, its output in `logFile`, and waits until it says where n8n is. */
	static async start(tree: string, logFile: string, teardown: Teardown): Promise<DevCommand> {
		const port = await portWithNext(PORTS);
		const child = execa('npm', ['run', 'dev', '--', '--port', String(port)], {
			cwd: tree,
			detached: true,
			cleanup: false,
			all: true,
			buffer: false,
			reject: false,
			stdin: 'ignore',
		});
		const output = { text: '' };
		const log = createWriteStream(logFile);
		child.all?.on('data', (chunk) => {
			output.text += chunk;
			log.write(chunk);
		});
		const command = new DevCommand(port, child, output);
		teardown.add(async () => void (await command.interrupt()));
		await command.says('Ctrl-C ends everything');
		return command;
	}

	/** Waits until its output holds the words, from `after` on. */
	async says(words: string, after = 0): Promise<void> {
		const said = async (): Promise<boolean> => {
			if (this.ended) throw new Error(`It ended.\n${this.output.text}`);
			return this.output.text.includes(words, after);
		};
		await waitUntil(`'npm run dev' did not say '${words}'`, said, STARTED);
	}

	/** How much it has said. */
	get said(): number {
		return this.output.text.length;
	}

	private get ended(): boolean {
		return this.child.exitCode !== null || this.child.signalCode !== null;
	}

	/**
	 * Ctrl-C: the terminal sends the signal to all processes that it started, n8n not among them.
	 * @returns ports on which somebody still listens
	 * @throws Error when it does not end
	 */
	async interrupt(): Promise<number[]> {
		const { pid } = this.child;
		if (pid !== undefined && !this.ended) process.kill(-pid, 'SIGINT');
		const late = new Promise<never>((_resolve, reject) => {
			const error = new Error(`'npm run dev' did not end.\n${this.output.text}`);
			setTimeout(() => reject(error), ENDED_WITHIN_MS).unref();
		});
		await Promise.race([this.child, late]);
		const own = Array.from({ length: PORTS }, (_, index) => this.port + index);
		const free = await Promise.all(own.map((port) => getPort({ port, host: HOST })));
		return own.filter((port, index) => free[index] !== port);
	}
}

/** A free port whose next ones are free too. */
async function portWithNext(count: number): Promise<number> {
	for (;;) {
		const port = await freePort();
		const next = Array.from({ length: count - 1 }, (_, index) => port + 1 + index);
		const free = await Promise.all(next.map((one) => getPort({ port: one, host: HOST })));
		if (next.every((one, index) => free[index] === one)) return port;
	}
}
