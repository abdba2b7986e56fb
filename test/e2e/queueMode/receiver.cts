import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { Teardown } from '../../../scripts/demo/teardown.cts';

const FAILURES = '/failures';

/** What an execution's last node sent. */
export interface Delivery {
	execution: string;
	ids: string[];
}

/** The outer end of the workflows: it takes what they deliver, and hands out what they scan. */
export interface Receiver {
	url: string;
	deliveries: readonly Delivery[];
	/** Where the Error Workflow tells of an execution. */
	failuresUrl: string;
	/** Executions that the Error Workflow told of. */
	failures: readonly string[];
	/** The lists of URLs handed out so far. */
	handedOut: readonly string[][];
}

/** @param urlsPerList How many URLs each GET answers; no two answers have one in common. */
export async function startReceiver(urlsPerList: number, teardown: Teardown): Promise<Receiver> {
	const deliveries: Delivery[] = [];
	const failures: string[] = [];
	const handedOut: string[][] = [];
	const server = createServer((request, response) => {
		const answer = async (): Promise<unknown> => {
			if (request.url === FAILURES) {
				const { execution } = (await json(request)) as { execution: string };
				failures.push(execution);
				return {};
			}
			if (request.method === 'POST') {
				deliveries.push((await json(request)) as Delivery);
				return {};
			}
			const list = handedOut.length + 1;
			const urls = Array.from(
				{ length: urlsPerList },
				(_, item) => `https://site.example.com/${list}/${item + 1}`,
			);
			handedOut.push(urls);
			return urls.map((url) => ({ url }));
		};
		void answer().then((body) => {
			response.setHeader('content-type', 'application/json');
			response.end(JSON.stringify(body));
		});
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	teardown.add(async () => {
		server.closeAllConnections();
		server.close();
	});
	const { port } = server.address() as AddressInfo;
	const url = `http://127.0.0.1:${port}`;
	return { url, deliveries, failuresUrl: `${url}${FAILURES}`, failures, handedOut };
}
