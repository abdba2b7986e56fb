import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildPackage } from '../package/build.cts';
import { packPackage, type Tarball } from '../package/tarball.cts';
import { withProgress, type Say } from '../progress.cts';
import type { Teardown } from '../demo/teardown.cts';
import { cacheFolder } from './cacheFolder.cts';
import { provideHost, type N8nHost } from './host.cts';

/** n8n itself, the package as it is published, and the cache folder, for what else a run brings. */
export async function hostAndPackage(
	say: Say,
	teardown: Teardown,
): Promise<{ host: N8nHost; tarball: Tarball; cache: string }> {
	const cache = cacheFolder();
	const host = await provideHost(cache, say);
	await withProgress(say, 'Building the package', buildPackage);
	const folder = await mkdtemp(join(tmpdir(), 'content-scan-package-'));
	teardown.add(() => rm(folder, { recursive: true, force: true }));
	return { host, tarball: await packPackage(folder), cache };
}
