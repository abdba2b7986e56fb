/**
 * The server of the comparisons, in a process of its own: `main.cts <entries in the log> <milliseconds
 * to each answer>`. Prints its address, then waits to be ended. It does next to nothing for an answer,
 * so that what is compared is who asks.
 *
 * - The audit log and URL scans as the interface has them, for whoever asks.
 * - `POST /bench/bulk` takes entries as lines; the run is done when all of the log are there, and
 *   nothing but them. `POST /bench/drop` takes anything.
 * - `POST /bench/new` begins a run, `POST /bench/restart` forgets what the run did so far;
 *   `GET /bench/done?last=ID` is what a contender calls when it has everything; `GET /bench/run`
 *   answers then with what was seen. `GET /bench/batch` is what one calls that has a part of it.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { PreparedPages } from './preparedPages.cts';
import { RunClock } from './runRecord.cts';

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };

const [entries, answerAfterMs] = process.argv.slice(2).map(Number);
const pages = new PreparedPages(entries);
let run = new RunClock();
let scans = 0;
/** Lines at the sink, and the newest entry in them. */
let sunk = 0;
let newest = { auditlogId: '', createdAt: '' };

const server = createServer((request, response) => {
	const [path, query = ''] = (request.url ?? '/').split('?');
	const route = routes[path];
	if (route) void route(request, response, query);
	else send(response, 404, Buffer.from('{}'));
});

const routes: Record<
	string,
	(request: IncomingMessage, response: ServerResponse, query: string) => void | Promise<void>
> = {
	'/api/admin-audit-log-entries': (_request, response, query) => {
		run.noteRequest();
		const { status, body } = pages.answer(query);
		sendFromAfar(response, status, body);
	},
	'/api/v1/urls/': async (request, response) => {
		run.noteRequest();
		run.noteSubmission(await text(request));
		sendFromAfar(response, 200, Buffer.from(JSON.stringify({ scan_id: (scans += 1) })));
	},
	'/bench/bulk': async (request, response) => {
		const lines = (await text(request)).split('\n');
		const isWhole = lines.pop() === '' && lines.every((line) => /^\{.*\}$/.test(line));
		if (!isWhole) return send(response, 400, Buffer.from('{}'));
		sunk += lines.length;
		// n8n posts the batches side by side, so the one that arrives last need not be the newest.
		const last = JSON.parse(lines[lines.length - 1]) as typeof newest;
		if (last.createdAt > newest.createdAt) newest = last;
		send(response, 200, Buffer.from('{}'));
		if (sunk >= entries) run.done(sunk === entries ? newest.auditlogId : `${sunk} lines`);
	},
	'/bench/drop': async (request, response) => {
		await text(request);
		send(response, 200, Buffer.from('{}'));
	},
	'/bench/new': (_request, response) => {
		run = new RunClock();
		[sunk, newest] = [0, { auditlogId: '', createdAt: '' }];
		send(response, 200, Buffer.from('{}'));
	},
	'/bench/restart': (_request, response) => {
		run.restart();
		send(response, 200, Buffer.from('{}'));
	},
	'/bench/done': (_request, response, query) => {
		run.done(new URLSearchParams(query).get('last') ?? '');
		send(response, 200, Buffer.from('{}'));
	},
	'/bench/batch': (_request, response) => {
		run.noteBatch();
		send(response, 200, Buffer.from('{}'));
	},
	'/bench/run': async (_request, response) => {
		send(response, 200, Buffer.from(JSON.stringify(await run.finished)));
	},
};

function sendFromAfar(response: ServerResponse, status: number, body: Buffer): void {
	if (answerAfterMs === 0) send(response, status, body);
	else setTimeout(() => send(response, status, body), answerAfterMs);
}

function send(response: ServerResponse, status: number, body: Buffer): void {
	response.writeHead(status, { ...JSON_TYPE, 'content-length': body.byteLength }).end(body);
}

server.listen(0, '127.0.0.1', () => {
	const { port } = server.address() as AddressInfo;
	console.log(`http://127.0.0.1:${port}`);
});
process.once('SIGTERM', () => process.exit(0));
