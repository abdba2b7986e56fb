import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

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

/** A package that holds nothing but n8n's RSS trigger: loading all of n8n's nodes takes long. */
export async function rssPackage(folder: string, n8nFolder: string): Promise<string> {
	const home = join(folder, 'rss-trigger');
	await mkdir(home);
	await symlink(join(n8nFolder, 'node_modules', 'n8n-nodes-base', 'dist'), join(home, 'dist'));
	const nodes = ['dist/nodes/RssFeedRead/RssFeedReadTrigger.node.js'];
	const manifest = {
		name: 'n8n-nodes-rss-only',
		version: '1.0.0',
		n8n: { nodes, credentials: [] },
	};
	await writeFile(join(home, 'package.json'), JSON.stringify(manifest));
	return home;
}
