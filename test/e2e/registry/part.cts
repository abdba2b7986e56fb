import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import manifest from '../../../package.json';
import type { Tarball } from '../../../scripts/package/tarball.cts';
import { scanOnce } from '../inN8n/scanOnce.cts';
import type { Part, PartContext } from '../part.cts';
import { ContinuousTrigger } from '../triggerInN8n/continuousTrigger.cts';
import { startPollingN8n, type PollingN8n } from '../triggerInN8n/pollingN8n.cts';
import { CommunityPackages, type InstalledPackage } from './communityPackages.cts';
import { startLocalRegistry, type LocalRegistry } from './localRegistry.cts';
import { nextVersion, POLLED_BY } from './nextVersion.cts';
import { publicRegistryHost } from './publicRegistry.cts';
import { startRedirectingProxy, type RedirectingProxy } from './redirectingProxy.cts';

const ENTRIES_PER_MINUTE = 120;
const SEED = 1;
const NODE_TYPES = manifest.n8n.nodes.length;
const CREDENTIAL_TYPES = ['contentScanApi', 'browserConsoleHeadersApi', 'browserConsoleOAuth2Api'];

/** Everything that the checks act on. */
interface Scene extends PartContext {
	registry: LocalRegistry;
	proxy: RedirectingProxy;
	polling: PollingN8n;
	packages: CommunityPackages;
	next: Tarball;
}

/** What a user does under Settings > Community nodes, with a registry on this machine behind it. */
export const registryPart: Part = {
	name: 'registry',
	title:
		"installed, updated under an active workflow and uninstalled by n8n's own API, from a registry",
	run: async (context) => {
		const scene = await setUp(context);
		const { check, polling } = scene;
		const trigger = new ContinuousTrigger(polling);
		await check('Installed', () => install(scene));
		await check('Its trigger delivers', () => trigger.start());
		await check('n8n offers the next version', () => offerUpdate(scene));
		await check('Updated while the workflow is active', () => update(scene));
		await check('The updated package polls', () => pollsWithNext(scene, trigger));
		await check('A scan runs with the updated package', () => scanOnce(polling));
		await check('After a restart n8n loads what it installed', () => restart(scene, trigger));
		await check('Not an entry lost or twice over all that', () => trigger.compare());
		await check('Uninstalled', () => uninstall(scene, trigger));
		await check('n8n and npm took the way to the public registry only', () => waysTaken(scene));
	},
};

async function setUp(context: PartContext): Promise<Scene> {
	const { host, cache, say, teardown, folder, tarball } = context;
	const registryHost = await publicRegistryHost(host);
	const registry = await startLocalRegistry({
		host: registryHost,
		n8nHost: host,
		cache,
		folder: join(folder, 'registry'),
		say,
		teardown,
	});
	await registry.publish(tarball.file);
	const proxy = await startRedirectingProxy(registryHost, registry.port, teardown);
	const polling = await startPollingN8n({
		...context,
		tarball: undefined,
		settings: {
			N8N_LOG_LEVEL: 'debug',
			// npm's own settings and cache: those of a user who has none. What the machine sets for all of
			// its users stays; of that, a list of trusted certificates would be in the way.
			HOME: join(folder, 'home'),
			npm_config_cafile: registry.certificateFile,
			HTTPS_PROXY: proxy.url,
			NO_PROXY: '127.0.0.1,localhost',
			NODE_EXTRA_CA_CERTS: registry.certificateFile,
		},
		entriesPerMinute: ENTRIES_PER_MINUTE,
		seed: SEED,
	});
	const packages = new CommunityPackages(polling.n8n.session);
	const next = await nextVersion(tarball, join(folder, 'next'));
	return { ...context, registry, proxy, polling, packages, next };
}

async function install({ packages, tarball }: Scene): Promise<string> {
	const before = await packages.offered(manifest.name);
	if (before.nodes.length > 0) throw new Error('n8n offers its nodes before the installation.');
	const installed = await packages.install(manifest.name);
	expectVersion(installed, tarball.version);
	if (installed.installedNodes.length !== NODE_TYPES) {
		throw new Error(`n8n has noted ${installed.installedNodes.length} nodes, not ${NODE_TYPES}.`);
	}
	return await expectOffered(packages, tarball.version);
}

async function offerUpdate({ registry, packages, next }: Scene): Promise<string> {
	await registry.publish(next.file);
	const { updateAvailable } = await onlyPackage(packages);
	if (updateAvailable === next.version) return next.version;
	throw new Error(`n8n offers ${updateAvailable ?? 'no update'}, not ${next.version}.`);
}

async function update({ packages, next }: Scene): Promise<string> {
	expectVersion(await packages.update(manifest.name), next.version);
	expectVersion(await onlyPackage(packages), next.version);
	return await expectOffered(packages, next.version);
}

/** n8n's log tells the version that polls. */
async function pollsWithNext(
	{ polling, next }: Scene,
	trigger: ContinuousTrigger,
): Promise<string> {
	const more = await trigger.delivers();
	const log = await readFile(polling.n8n.logFile, 'utf8');
	if (log.includes(`${POLLED_BY} ${next.version}`)) return `${more} more entries`;
	throw new Error(`The active workflow does not poll with version ${next.version}.`);
}

async function restart(scene: Scene, trigger: ContinuousTrigger): Promise<string> {
	const { polling, packages, next } = scene;
	await polling.n8n.stop();
	await polling.n8n.start();
	expectVersion(await onlyPackage(packages), next.version);
	const offered = await expectOffered(packages, next.version);
	await trigger.delivers();
	return offered;
}

async function uninstall(
	{ polling, packages }: Scene,
	trigger: ContinuousTrigger,
): Promise<string> {
	await polling.n8n.session.call('POST', `/workflows/${trigger.id}/deactivate`);
	await packages.uninstall(manifest.name);
	const left = await packages.list();
	if (left.length > 0) throw new Error(`n8n still lists ${left.length} packages.`);
	const { nodes, credentials } = await packages.offered(manifest.name);
	const types = [...nodes, ...credentials.filter((name) => CREDENTIAL_TYPES.includes(name))];
	if (types.length > 0) throw new Error(`n8n still offers ${types.join(', ')}.`);
	return 'n8n lists no package and offers none of its nodes and credentials';
}

async function waysTaken({ proxy }: Scene): Promise<string> {
	if (proxy.led.length === 0) throw new Error('Nobody asked for the public registry.');
	const refused = [...new Set(proxy.refused)];
	return `${proxy.led.length} connections to it; refused: ${refused.join(', ') || 'none'}`;
}

async function onlyPackage(packages: CommunityPackages): Promise<InstalledPackage> {
	const [installed, ...others] = await packages.list();
	if (!installed || others.length > 0) throw new Error('n8n does not list exactly one package.');
	if (installed.failedLoading) throw new Error('n8n says that the package could not be loaded.');
	return installed;
}

function expectVersion(installed: InstalledPackage, version: string): void {
	if (installed.packageName === manifest.name && installed.installedVersion === version) return;
	throw new Error(
		`n8n has ${installed.packageName} ${installed.installedVersion}, not ${version}.`,
	);
}

async function expectOffered(packages: CommunityPackages, version: string): Promise<string> {
	const { nodes, versions, credentials } = await packages.offered(manifest.name);
	const names = new Set(nodes.map((name) => name.replace(/Tool$/, '')));
	const missing = CREDENTIAL_TYPES.filter((name) => !credentials.includes(name));
	if (names.size !== NODE_TYPES || missing.length > 0) {
		throw new Error(`n8n offers ${[...names].join(', ')}; without ${missing.join(', ')}.`);
	}
	const [loaded, ...others] = versions;
	if (loaded !== version || others.length > 0) {
		throw new Error(`n8n has loaded ${[...versions].join(', ')}, not ${version}.`);
	}
	return `version ${version}, ${names.size} nodes and ${CREDENTIAL_TYPES.length} credentials`;
}
