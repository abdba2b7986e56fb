/**
 * What a few lines of JavaScript do, outside of n8n: reads the whole audit log, or submits URLs, and
 * says when it is done. Arguments: the loop, as JSON.
 */
import { Agent, get, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import axios, { type AxiosInstance } from 'axios';
import pLimit from 'p-limit';
import { printFigures } from '../measuredApart.cts';
import type { PlainLoop } from './plainLoop.cts';

const LOG_PATH = '/api/admin-audit-log-entries';

interface Page {
	items: Array<{ auditlogId: string }>;
	nextPageToken?: string;
}

async function run(loop: PlainLoop): Promise<object> {
	// Once unmeasured: n8n too has compiled what it runs by the time it is measured.
	await work(loop);
	await axios.post(`${loop.url}/bench/restart`, undefined, { proxy: false });
	const last = await work(loop);
	await axios.get(`${loop.url}/bench/done`, { params: { last }, proxy: false });
	return {};
}

async function work(loop: PlainLoop): Promise<string> {
	if (loop.kind === 'bytes') return await readBytes(loop.url, loop.pageSize);
	const http = axios.create({
		baseURL: loop.url,
		headers: loop.headers,
		proxy: false,
		httpAgent: new Agent({ keepAlive: loop.keepAlive }),
	});
	return loop.kind === 'log'
		? await readLog(http, loop.pageSize)
		: await submit(http, loop.scans, loop.concurrency);
}

async function readLog(http: AxiosInstance, limit: number): Promise<string> {
	const entries: Array<{ auditlogId: string }> = [];
	let pageToken: string | undefined;
	do {
		const { data } = await http.get<Page>(LOG_PATH, {
			params: { limit, pageToken },
		});
		entries.push(...data.items);
		pageToken = data.nextPageToken ?? undefined;
	} while (pageToken);
	return entries[entries.length - 1].auditlogId;
}

async function submit(http: AxiosInstance, scans: number, concurrency: number): Promise<string> {
	const limit = pLimit(concurrency);
	const ids = await Promise.all(
		Array.from({ length: scans }, (_, item) =>
			limit(async () => {
				const form = new URLSearchParams({ path: `https://site.example.com/${item}` });
				return (await http.post<{ scan_id: number }>('/api/v1/urls/', form)).data.scan_id;
			}),
		),
	);
	return String(ids[ids.length - 1]);
}

/** The pages over one connection, and of each only the token is looked at. */
async function readBytes(url: string, limit: number): Promise<string> {
	const agent = new Agent({ keepAlive: true });
	let token: string | undefined;
	do {
		const query = `limit=${limit}${token ? `&pageToken=${token}` : ''}`;
		const answer = await new Promise<IncomingMessage>((resolve, reject) => {
			get(`${url}${LOG_PATH}?${query}`, { agent }, resolve).once('error', reject);
		});
		const bytes = await buffer(answer);
		token = /"nextPageToken":"([^"]+)"/.exec(bytes.subarray(-500).toString('latin1'))?.[1];
	} while (token);
	agent.destroy();
	return '';
}

printFigures(run(JSON.parse(process.argv[2]) as PlainLoop));
