import { copyFile, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A package that holds nothing but n8n's RSS trigger: loading all of n8n's nodes takes long. */
export async function rssPackage(folder: string, n8nFolder: string): Promise<string> {
	return await packageWith(join(folder, 'rss-trigger'), {
		dist: join(n8nFolder, 'node_modules', 'n8n-nodes-base', 'dist'),
		nodes: ['dist/nodes/RssFeedRead/RssFeedReadTrigger.node.js'],
		credentials: [],
	});
}

/** A package with the bare trigger, and the credential of the built package for it. */
export async function barePackage(folder: string, builtFolder: string): Promise<string> {
	const home = await packageWith(join(folder, 'bare-trigger'), {
		dist: join(builtFolder, 'dist'),
		nodes: ['BareTrigger.node.cjs'],
		credentials: ['dist/credentials/BrowserConsoleHeadersApi.credentials.js'],
	});
	await copyFile(join(__dirname, 'BareTrigger.node.cjs'), join(home, 'BareTrigger.node.cjs'));
	return home;
}

async function packageWith(
	home: string,
	{ dist, nodes, credentials }: { dist: string; nodes: string[]; credentials: string[] },
): Promise<string> {
	await mkdir(home);
	await symlink(dist, join(home, 'dist'));
	const manifest = { name: 'n8n-nodes-measured', version: '1.0.0', n8n: { nodes, credentials } };
	await writeFile(join(home, 'package.json'), JSON.stringify(manifest));
	return home;
}
