import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** The sandbox as a process of its own. */
export interface Program {
	firstLine: Promise<string>;
	firstError: Promise<string>;
	/** Exit code and signal. */
	ended: Promise<unknown[]>;
	end(): void;
}

export function startProgram(...args: string[]): Program {
	const program = join('sandbox', 'main.cts');
	const child = spawn(process.execPath, ['--require', 'tsx/cjs', program, ...args], {
		cwd: join(__dirname, '..', '..'),
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	const first = async (stream: NodeJS.ReadableStream) => String((await once(stream, 'data'))[0]);
	return {
		firstLine: first(child.stdout),
		firstError: first(child.stderr),
		ended: once(child, 'exit'),
		end: () => child.kill('SIGTERM'),
	};
}
