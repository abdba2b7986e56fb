import axios from 'axios';
import { waitUntil } from '../waitUntil.cts';
import { n8nEnvironment } from './environment.cts';
import { freePort } from './freePort.cts';
import type { N8nHost } from './host.cts';
import { N8nProcess } from './n8nProcess.cts';
import { N8nSession } from './session.cts';

const EDITOR = { everyMs: 200, withinMs: 60_000 };

export interface N8nInstanceOptions {
	host: N8nHost;
	/** Holds `.n8n/` with the database, the key and the community packages; made when missing. */
	userFolder: string;
	/** A free one when not given. It stays the same over restarts. */
	port?: number;
	/** n8n settings beyond the usual ones, as environment variables. */
	settings?: Record<string, string>;
}

/** An n8n with its editor: all there is by default, the main process in queue mode. */
export class N8nInstance extends N8nProcess {
	readonly session: N8nSession;

	private constructor(
		{ host, userFolder, settings }: N8nInstanceOptions,
		readonly url: string,
		address: { port: number; runnerPort: number },
	) {
		super({
			host,
			arguments: ['start'],
			userFolder,
			environment: n8nEnvironment(userFolder, address, settings),
			url,
			logName: 'n8n.log',
		});
		this.session = new N8nSession(url);
	}

	/** Older versions of n8n are ready before they serve the editor. */
	override async start(): Promise<void> {
		await super.start();
		const serves = async (): Promise<boolean> => {
			if (this.pid === undefined) throw new Error('n8n was ended while it started.');
			const settings = `${this.url}/rest/settings`;
			const answer = await axios
				.get(settings, { timeout: 5_000, proxy: false })
				.catch(() => undefined);
			return answer?.status === 200;
		};
		await waitUntil('n8n did not serve its editor', serves, EDITOR);
	}

	/** Chooses the ports; `start` is what makes it run. */
	static async create(options: N8nInstanceOptions): Promise<N8nInstance> {
		const port = options.port ?? (await freePort());
		const url = `http://127.0.0.1:${port}`;
		return new N8nInstance(options, url, { port, runnerPort: await freePort() });
	}
}
