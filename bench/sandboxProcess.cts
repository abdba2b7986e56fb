import { join } from 'node:path';
import axios, { type AxiosInstance } from 'axios';
import execa from 'execa';
import type { Addresses } from '../sandbox/createSandbox.cts';
import type { SettingsPatch } from '../sandbox/settings.cts';
import type { JournalEntry } from '../sandbox/wire/journal.cts';
import { repositoryRoot } from '../scripts/repositoryRoot.cts';
import { firstLine } from './processOutput.cts';

/** A sandbox in a process of its own, so that its memory and its work are not measured. */
export interface SandboxProcess {
	addresses: Addresses;
	/** Its control API (sandbox/README.md). */
	control: AxiosInstance;
	/** The calls so far that the sandbox still knows. */
	calls(): Promise<JournalEntry[]>;
	end(): Promise<void>;
}

export async function startSandboxProcess(
	settings: Pick<SettingsPatch, 'scanning' | 'console'>,
	seed: number,
): Promise<SandboxProcess> {
	const assignments = Object.entries(settings).flatMap(([group, values]) =>
		Object.entries(values).flatMap(([name, value]) => [
			'--set',
			`${group}.${name}=${JSON.stringify(value)}`,
		]),
	);
	const main = join(repositoryRoot, 'sandbox', 'main.cts');
	const child = execa(
		process.execPath,
		['--require', 'tsx/cjs', main, '--seed', String(seed), ...assignments],
		{ cwd: repositoryRoot, stdin: 'ignore', stderr: 'inherit', buffer: false, reject: false },
	);
	const addresses = JSON.parse(await firstLine(child.stdout)) as Addresses;
	const control = axios.create({ baseURL: addresses.control, proxy: false });
	return {
		addresses,
		control,
		calls: async () => (await control.get<{ calls: JournalEntry[] }>('/journal')).data.calls,
		end: async () => {
			child.kill('SIGTERM');
			await child;
		},
	};
}
