import { copyFile, mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { buildSqlite, type N8nHost } from '../../../scripts/n8n/host.cts';
import { installPinned } from '../../../scripts/n8n/pinnedInstallation.cts';
import type { Say } from '../../../scripts/progress.cts';
import { dependencies } from './oldest-n8n/package.json';

/** The oldest n8n that the package claims to support; README.md names it. */
export const OLDEST_N8N = dependencies.n8n;

const SQLITE = join('node_modules', 'sqlite3');
const BINARY = join(SQLITE, 'build', 'Release', 'node_sqlite3.node');

/** Provides that n8n, with the Node and, where it is the same, the SQLite of the present one. */
export async function provideOldestHost(
	present: N8nHost,
	cache: string,
	say: Say,
): Promise<N8nHost> {
	const folder = await installPinned({
		manifests: join(__dirname, 'oldest-n8n'),
		cache,
		name: `n8n-${OLDEST_N8N}`,
		what: `n8n ${OLDEST_N8N}`,
		announcement: `Installing n8n ${OLDEST_N8N}, once for this machine (1,600 packages, 1 GB, about 2 minutes)`,
		npmArguments: ['--legacy-peer-deps'],
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
