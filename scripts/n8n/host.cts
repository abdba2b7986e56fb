import { createHash } from 'node:crypto';
import { copyFile, readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { withProgress, type Say } from '../progress.cts';
import { repositoryRoot } from '../repositoryRoot.cts';
import { installOnce } from './installOnce.cts';
import { nodeForN8n, type NodeRuntime } from './nodeRuntime.cts';
import { npm } from '../npm.cts';

/** A complete installation of n8n and the Node that runs it. */
export interface N8nHost {
	/** Folder whose `node_modules` holds n8n. */
	folder: string;
	/** Absolute path of n8n's own start script. */
	script: string;
	node: NodeRuntime;
}

const MANIFESTS = ['package.json', 'package-lock.json'];

/**
 * Provides the n8n that `n8n-host/` pins, in a cache folder (see `cacheFolder`) outside the clone,
 * so that the next start and the next clone find it. The first time takes minutes and about 2.5 GB.
 */
export async function provideHost(cache: string, say: Say): Promise<N8nHost> {
	const node = await nodeForN8n(cache, say);
	const folder = join(cache, `n8n-${await hostKey()}`);
	await installOnce(folder, say, (workplace) => installN8n(workplace, node, say));
	return { folder, script: join(folder, 'node_modules', 'n8n', 'bin', 'n8n'), node };
}

/** What the installation depends on: its manifests, and the platform its native modules are for. */
async function hostKey(): Promise<string> {
	const hash = createHash('sha256');
	for (const name of MANIFESTS) hash.update(await readFile(join(repositoryRoot, 'n8n-host', name)));
	return `${hash.digest('hex').slice(0, 12)}-${process.platform}-${process.arch}`;
}

async function installN8n(workplace: string, node: NodeRuntime, say: Say): Promise<void> {
	for (const name of MANIFESTS) {
		await copyFile(join(repositoryRoot, 'n8n-host', name), join(workplace, name));
	}
	await withProgress(
		say,
		'Installing n8n, once for this machine (2,100 packages, 2 GB, about 4 minutes)',
		() =>
			// Not `npm ci`: it refuses a registry that lacks optional packages of other platforms.
			npm(['install', '--ignore-scripts', '--legacy-peer-deps', '--prefer-offline'], {
				cwd: workplace,
				what: 'n8n',
			}),
	);
	await withProgress(say, "Building SQLite for n8n's Node (about 2 minutes)", () =>
		npm(['rebuild', 'sqlite3', '--ignore-scripts=false'], {
			cwd: workplace,
			what: 'SQLite for n8n (where no ready binary can be fetched, it is compiled, with python3, make and a C++ compiler)',
			env: {
				PATH: [dirname(node.binary), process.env.PATH].join(delimiter),
				JOBS: String(availableParallelism()),
				...(node.headers && { npm_config_nodedir: node.headers }),
			},
		}),
	);
}
