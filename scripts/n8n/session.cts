import { randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import axios, { type AxiosInstance, type Method } from 'axios';
import { waitUntil } from '../waitUntil.cts';

export interface SignIn {
	email: string;
	password: string;
}

const TIMEOUT_MS = 30_000;

const WHOLE_SOON = { everyMs: 250, withinMs: 60_000 };

/** A signed-in user of n8n's own REST interface, the one its editor uses. */
export class N8nSession {
	private readonly http: AxiosInstance;
	/** n8n binds a sign-in to the browser that made it; every later call repeats this id. */
	private readonly browserId = randomUUID();
	private cookie?: string;

	constructor(private readonly url: string) {
		this.http = axios.create({
			baseURL: `${url}/rest`,
			proxy: false,
			// On a busy machine, n8n may close an idle connection just when it is used again.
			httpAgent: new Agent({ keepAlive: false }),
			validateStatus: () => true,
		});
	}

	/** Signs in; on a new n8n this makes the user its owner. */
	async signIn({ email, password }: SignIn): Promise<void> {
		const settings = await this.call<{ userManagement: { showSetupOnFirstLoad: boolean } }>(
			'GET',
			'/settings',
		);
		if (settings.userManagement.showSetupOnFirstLoad) {
			const name = { firstName: 'Content', lastName: 'Scan' };
			await this.call('POST', '/owner/setup', { email, password, ...name });
		} else {
			await this.call('POST', '/login', { emailOrLdapLoginId: email, password });
		}
	}

	/**
	 * Calls n8n and returns the `data` of its answer.
	 * @param timeout How long it may take, in milliseconds.
	 * @throws Error with n8n's own message for any status but 2xx
	 */
	async call<T = unknown>(
		method: Method,
		path: string,
		data?: unknown,
		timeout = TIMEOUT_MS,
	): Promise<T> {
		const request = { method, url: path, data, timeout, headers: this.headers() };
		const answer = await this.http.request(request);
		const [cookie] = answer.headers['set-cookie'] ?? [];
		if (cookie) this.cookie = cookie.split(';')[0];
		if (answer.status >= 200 && answer.status < 300) return answer.data.data;
		const message = answer.data?.message ?? answer.statusText;
		throw new Error(`n8n answered ${method} /rest${path} with ${answer.status}: ${message}`);
	}

	/**
	 * Reads a list that n8n serves to its editor, such as that of the node types. n8n writes them anew
	 * whenever it loads nodes, and what it serves meanwhile is not whole: that is read again.
	 */
	async readAsset<T extends object>(path: string): Promise<T> {
		let list: T | undefined;
		const isWhole = async () => (list = await this.wholeAsset<T>(path)) !== undefined;
		await waitUntil(`n8n did not serve ${path} whole`, isWhole, WHOLE_SOON);
		return list!;
	}

	private async wholeAsset<T extends object>(path: string): Promise<T | undefined> {
		const request = { baseURL: this.url, timeout: TIMEOUT_MS, headers: this.headers() };
		const answer = await this.http.get<T>(path, request).catch(noneWhenGarbled);
		if (!answer) return undefined;
		if (answer.status !== 200) throw new Error(`n8n answered GET ${path} with ${answer.status}.`);
		// axios leaves what is no JSON as it is.
		return typeof answer.data === 'object' ? answer.data : undefined;
	}

	private headers(): Record<string, string> {
		return { 'browser-id': this.browserId, ...(this.cookie && { cookie: this.cookie }) };
	}
}

/** Bytes where an HTTP answer should begin: the rest of one that was longer than announced. */
function noneWhenGarbled(error: unknown): undefined {
	if (axios.isAxiosError(error) && error.code?.startsWith('HPE_')) return undefined;
	throw error;
}
