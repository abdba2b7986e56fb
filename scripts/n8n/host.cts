import { availableParallelism } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { withProgress, type Say } from '../progress.cts';
import { repositoryRoot } from '../repositoryRoot.cts';
import { nodeForN8n, type NodeRuntime } from './nodeRuntime.cts';
import { installPinned } from './pinnedInstallation.cts';
import { npm } from '../npm.cts';

/** A complete installation of n8n and the Node that runs it. */
export interface N8nHost {
	/** Folder whose `node_modules` holds n8n. */
	folder: string;
	/** Absolute path of n8n's own start script. */
	script: string;
	node: NodeRuntime;
}

/**
 * Provides the n8n that `n8n-host/` pins, in a cache folder (see `cacheFolder`) outside the clone,
 * so that the next start and the next clone find it. The first time takes minutes and about 2.5 GB.
 */
export async function provideHost(cache: string, say: Say): Promise<N8nHost> {
	const node = await nodeForN8n(cache, say);
	const folder = await installPinned({
		manifests: join(repositoryRoot, 'n8n-host'),
		cache,
		name: 'n8n',
		what: 'n8n',
		announcement: 'Installing n8n, once for this machine (2,100 packages, 2 GB, about 4 minutes)',
		npmArguments: ['--legacy-peer-deps'],
		say,
		finish: (workplace) => buildSqlite(workplace, node, say),
	});
	return { folder, script: join(folder, 'node_modules', 'n8n', 'bin', 'n8n'), node };
}

/** Compiles, or fetches, what n8n needs to keep its data in SQLite. */
export async function buildSqlite(workplace: string, node: NodeRuntime, say: Say): Promise<void> {
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
