/**
 * What a few lines of JavaScript do, outside of n8n: read the whole audit log, and say when it is
 * there or send it on. Arguments: the loop, as JSON.
 */
import { Agent } from 'node:http';
import axios, { type AxiosInstance } from 'axios';
import { WARM_UP_RUNS } from '../comparison/contenders.cts';
import { printFigures } from '../measuredApart.cts';
import type { PlainLoop } from './plainLoop.cts';

const LOG_PATH = '/api/admin-audit-log-entries';
const BULK = '/bench/bulk';

interface Page {
	items: Array<{ auditlogId: string }>;
	nextPageToken?: string;
}

async function run(loop: PlainLoop): Promise<object> {
	const http = axios.create({
		baseURL: loop.url,
		headers: loop.headers,
		proxy: false,
		httpAgent: new Agent({ keepAlive: loop.keepAlive }),
	});
	const work = async (sink: string): Promise<void> => {
		if (loop.kind === 'siem') return await sendOn(http, loop, sink);
		const last = await readLog(http, loop.pageSize);
		if (sink === BULK) await http.get('/bench/done', { params: { last } });
	};
	// Unmeasured: n8n too has compiled what it runs by the time it is measured, and begins without garbage.
	for (let turn = 0; turn < WARM_UP_RUNS; turn += 1) await work('/bench/drop');
	globalThis.gc!();
	await http.post('/bench/restart');
	await work(BULK);
	return {};
}

async function* pages(http: AxiosInstance, limit: number): AsyncGenerator<Page['items']> {
	let pageToken: string | undefined;
	do {
		const { data } = await http.get<Page>(LOG_PATH, { params: { limit, pageToken } });
		yield data.items;
		pageToken = data.nextPageToken ?? undefined;
	} while (pageToken);
}

async function readLog(http: AxiosInstance, pageSize: number): Promise<string> {
	const entries: Page['items'] = [];
	for await (const items of pages(http, pageSize)) entries.push(...items);
	return entries[entries.length - 1].auditlogId;
}

/** Reads the log and sends its lines on, in batches of a size. */
async function sendOn(
	http: AxiosInstance,
	{ pageSize, batchBytes }: { pageSize: number; batchBytes: number },
	sink: string,
): Promise<void> {
	let lines: string[] = [];
	let bytes = 0;
	const send = async (): Promise<void> => {
		// With application/json axios would put the lines into quotes.
		const headers = { 'content-type': 'application/x-ndjson' };
		await http.post(sink, lines.join(''), { headers, maxBodyLength: Infinity });
		[lines, bytes] = [[], 0];
	};
	for await (const items of pages(http, pageSize)) {
		for (const item of items) {
			const line = `${JSON.stringify(item)}\n`;
			const size = Buffer.byteLength(line);
			if (bytes > 0 && bytes + size > batchBytes) await send();
			lines.push(line);
			bytes += size;
		}
	}
	if (bytes > 0) await send();
}

printFigures(run(JSON.parse(process.argv[2]) as PlainLoop));
