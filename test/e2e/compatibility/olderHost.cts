import { copyFile, mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { buildSqlite, type N8nHost } from '../../../scripts/n8n/host.cts';
import { installPinned } from '../../../scripts/n8n/pinnedInstallation.cts';
import type { Say } from '../../../scripts/progress.cts';
import oldest from './n8n-1.100/package.json';
import middle from './n8n-2.20/package.json';

/** An n8n before the present one, as the folder of its manifests pins it. */
export interface OlderN8n {
	version: string;
	/** Which it is among the versions. */
	place: string;
	manifests: string;
	/** What its installation takes. */
	size: string;
	npmArguments?: string[];
}

/** README.md names it. */
export const OLDEST_N8N: OlderN8n = {
	version: oldest.dependencies.n8n,
	place: 'the oldest that it claims to support',
	manifests: join(__dirname, 'n8n-1.100'),
	size: '1,600 packages, 1 GB, about 2 minutes',
	npmArguments: ['--legacy-peer-deps'],
};

/** Half-way in n8n 2, of which few versions can still be installed. */
export const MIDDLE_N8N: OlderN8n = {
	version: middle.dependencies.n8n,
	place: 'between it and the present one',
	manifests: join(__dirname, 'n8n-2.20'),
	size: '2,300 packages, 2 GB, about 5 minutes',
};

const SQLITE = join('node_modules', 'sqlite3');
const BINARY = join(SQLITE, 'build', 'Release', 'node_sqlite3.node');

/** Provides that n8n, with the Node and, where it is the same, the SQLite of the present one. */
export async function provideOlderHost(
	{ version, manifests, size, npmArguments }: OlderN8n,
	present: N8nHost,
	cache: string,
	say: Say,
): Promise<N8nHost> {
	const folder = await installPinned({
		manifests,
		cache,
		name: `n8n-${version}`,
		what: `n8n ${version}`,
		announcement: `Installing n8n ${version}, once for this machine (${size})`,
		npmArguments,
		say,
		finish: (workplace) => provideSqlite(workplace, present, say),
	});
	const script = join(folder, 'node_modules', 'n8n', 'bin', 'n8n');
	return { folder, script, node: present.node };
}

/** Its binary depends on the platform alone (Node-API), so it need not be built a second time. */
async function provideSqlite(workplace: string, present: N8nHost, say: Say): Promise<void> {
	if ((await sqliteVersion(workplace)) !== (await sqliteVersion(present.folder))) {
		await buildSqlite(workplace, present.node, say);
		return;
	}
	await mkdir(dirname(join(workplace, BINARY)), { recursive: true });
	await copyFile(join(present.folder, BINARY), join(workplace, BINARY));
}

async function sqliteVersion(folder: string): Promise<string> {
	const manifest = await readFile(join(folder, SQLITE, 'package.json'), 'utf8');
	return JSON.parse(manifest).version;
}
