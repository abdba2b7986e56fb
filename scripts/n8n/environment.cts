/** What n8n's process needs of this machine; anything else could change how n8n behaves. */
const PASSED_ON = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'LC_ALL', 'TZ', 'SYSTEMROOT'];

/** No calls home, no news, no features that look elsewhere; community packages as they are placed. */
const KEEP_TO_ITSELF: Record<string, string> = {
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
	N8N_TEMPLATES_ENABLED: 'false',
	N8N_DYNAMIC_BANNERS_ENABLED: 'false',
	N8N_HIRING_BANNER_ENABLED: 'false',
	N8N_PERSONALIZATION_ENABLED: 'false',
	N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
	N8N_VERIFIED_PACKAGES_ENABLED: 'false',
	N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
	N8N_AI_ENABLED: 'false',
	N8N_DISABLED_MODULES: 'mcp-registry,mcp,instance-ai,agents,chat-hub',
};

export interface Address {
	port: number;
	/** Port on which n8n talks to its own task runner. */
	runnerPort: number;
}

/** The environment of an n8n that is reachable from this machine only and contacts nobody. */
export function n8nEnvironment(
	userFolder: string,
	{ port, runnerPort }: Address,
	settings: Record<string, string> = {},
	inherited: NodeJS.ProcessEnv = process.env,
): Record<string, string> {
	const passedOn = PASSED_ON.flatMap((name) => {
		const value = inherited[name];
		return value === undefined ? [] : [[name, value]];
	});
	return {
		...Object.fromEntries(passedOn),
		...KEEP_TO_ITSELF,
		NODE_ENV: 'production',
		N8N_USER_FOLDER: userFolder,
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_HOST: '127.0.0.1',
		N8N_PORT: String(port),
		N8N_RUNNERS_BROKER_PORT: String(runnerPort),
		// Plain HTTP on the loopback interface.
		N8N_SECURE_COOKIE: 'false',
		N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '10',
		...settings,
	};
}
