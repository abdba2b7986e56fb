import { join } from 'node:path';
import { createInterface } from 'node:readline';
import axios from 'axios';
import execa from 'execa';
import type { Addresses } from '../../sandbox/createSandbox.cts';
import type { ConsoleSettings } from '../../sandbox/settings.cts';
import type { JournalEntry } from '../../sandbox/wire/journal.cts';
import { repositoryRoot } from '../../scripts/repositoryRoot.cts';

/** A sandbox in a process of its own, so that its memory is not measured. */
export interface SandboxProcess {
	consoleUrl: string;
	/** The calls so far that the sandbox still knows. */
	calls(): Promise<JournalEntry[]>;
	/** Every page token issued so far is refused from now on. */
	voidTokens(): Promise<void>;
	end(): Promise<void>;
}

export async function startSandboxProcess(
	settings: Partial<ConsoleSettings>,
	seed: number,
): Promise<SandboxProcess> {
	const assignments = Object.entries(settings).flatMap(([name, value]) => [
		'--set',
		`console.${name}=${JSON.stringify(value)}`,
	]);
	const main = join(repositoryRoot, 'sandbox', 'main.cts');
	const child = execa(
		process.execPath,
		['--require', 'tsx/cjs', main, '--seed', String(seed), ...assignments],
		{ cwd: repositoryRoot, stdin: 'ignore', stderr: 'inherit', buffer: false, reject: false },
	);
	const addresses = JSON.parse(await firstLine(child.stdout)) as Addresses;
	const control = axios.create({ baseURL: addresses.control, proxy: false });
	return {
		consoleUrl: addresses.console,
		calls: async () => (await control.get<{ calls: JournalEntry[] }>('/journal')).data.calls,
		voidTokens: async () => {
			await control.post('/audit-log/refuse-page-tokens');
		},
		end: async () => {
			child.kill('SIGTERM');
			await child;
		},
	};
}

async function firstLine(stream: NodeJS.ReadableStream | null): Promise<string> {
	if (!stream) throw new Error('The sandbox has no output.');
	for await (const line of createInterface({ input: stream })) return line;
	throw new Error('The sandbox ended before it listened.');
}
