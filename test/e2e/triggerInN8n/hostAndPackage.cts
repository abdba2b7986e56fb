import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Teardown } from '../../../scripts/demo/teardown.cts';
import { cacheFolder } from '../../../scripts/n8n/cacheFolder.cts';
import { provideHost, type N8nHost } from '../../../scripts/n8n/host.cts';
import { buildPackage } from '../../../scripts/package/build.cts';
import { packPackage, type Tarball } from '../../../scripts/package/tarball.cts';
import type { Say } from '../../../scripts/progress.cts';

/**
 * What every run of the trigger in a real n8n begins with: n8n itself, the package as published, and
 * the cache folder, for what else a run brings.
 */
export async function hostAndPackage(
	say: Say,
	teardown: Teardown,
): Promise<{ host: N8nHost; tarball: Tarball; cache: string }> {
	const cache = await cacheFolder();
	teardown.add(cache.discard);
	const host = await provideHost(cache.path, say);
	await buildPackage();
	const folder = await mkdtemp(join(tmpdir(), 'content-scan-package-'));
	teardown.add(() => rm(folder, { recursive: true, force: true }));
	return { host, tarball: await packPackage(folder), cache: cache.path };
}
