import type { ConsoleSettings } from '../../sandbox/settings.cts';
import * as anySandbox from '../sandboxProcess.cts';

/** The console of a sandbox in a process of its own. */
export interface SandboxProcess extends Pick<anySandbox.SandboxProcess, 'calls' | 'end'> {
	consoleUrl: string;
	/** Every page token issued so far is refused from now on. */
	voidTokens(): Promise<void>;
}

export async function startSandboxProcess(
	settings: Partial<ConsoleSettings>,
	seed: number,
): Promise<SandboxProcess> {
	const sandbox = await anySandbox.startSandboxProcess({ console: settings }, seed);
	const { addresses, control, calls, end } = sandbox;
	return {
		consoleUrl: addresses.console,
		calls,
		voidTokens: async () => {
			await control.post('/audit-log/refuse-page-tokens');
		},
		end,
	};
}
