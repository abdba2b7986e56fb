import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

interface FeedItem {
	id: string;
	at: Date;
	text: string;
}

/** A feed that never changes, on a port of its own. */
export async function serveFeed(
	items: readonly FeedItem[],
): Promise<{ url: string; server: Server }> {
	const body = Buffer.from(feedOf(items));
	const server = createServer((_request, response) => {
		const headers = { 'content-type': 'application/rss+xml', 'content-length': body.byteLength };
		response.writeHead(200, headers).end(body);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/feed`, server };
}

function feedOf(items: readonly FeedItem[]): string {
	const entries = items.map(
		({ id, at, text }) =>
			`<item><guid>${id}</guid><title>${id}</title><pubDate>${at.toUTCString()}</pubDate>` +
			`<description>${text}</description></item>`,
	);
	const channel = `<title>Feed</title><link>http://127.0.0.1/</link><description>-</description>`;
	return `<?xml version="1.0"?><rss version="2.0"><channel>${channel}${entries.join('')}</channel></rss>`;
}
