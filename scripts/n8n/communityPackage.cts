import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import execa from 'execa';
import type { INodeTypeDescription } from 'n8n-workflow';
import manifest from '../../package.json';
import { unpack, type Tarball } from '../package/tarball.cts';
import type { N8nHost } from './host.cts';
import type { N8nInstance } from './n8nInstance.cts';

/**
 * Places a packed package where n8n's community-packages service places what it downloads, in the
 * same form: unpacked under `.n8n/nodes/node_modules`, without development and peer dependencies,
 * and named in the ledger beside it. To be done while n8n is not running.
 */
export async function placeCommunityPackage(userFolder: string, tarball: Tarball): Promise<void> {
	const nodesFolder = join(userFolder, '.n8n', 'nodes');
	const packageFolder = join(nodesFolder, 'node_modules', manifest.name);
	await rm(packageFolder, { recursive: true, force: true });
	await unpack(tarball.file, packageFolder);

	const manifestFile = join(packageFolder, 'package.json');
	const { devDependencies, peerDependencies, ...kept } = JSON.parse(
		await readFile(manifestFile, 'utf8'),
	);
	await writeJson(manifestFile, kept);

	await mkdir(nodesFolder, { recursive: true });
	await writeJson(join(nodesFolder, 'package.json'), {
		name: 'installed-nodes',
		private: true,
		dependencies: { [manifest.name]: tarball.version },
	});
}

/**
 * Notes the package in the rows that n8n's own installation would have written, so that n8n shows
 * it under Settings > Community nodes. Needs a running n8n that has loaded the package, on SQLite.
 * @throws Error when n8n has not loaded a node of it
 */
export async function recordCommunityPackage(
	host: N8nHost,
	n8n: N8nInstance,
	tarball: Tarball,
): Promise<void> {
	const types = await n8n.session.readAsset<INodeTypeDescription[]>('/types/nodes.json');
	const nodes = types
		.filter(({ name }) => name.startsWith(`${manifest.name}.`))
		// A node that is usable as a tool is listed a second time under this ending.
		.filter(({ name }) => !name.endsWith('Tool'))
		.map(({ name, displayName, version }) => ({
			name: displayName,
			type: name,
			latestVersion: Math.max(...[version].flat()),
		}));
	if (nodes.length === 0) {
		throw new Error(`n8n has loaded no node of ${manifest.name}; see ${n8n.logFile}.`);
	}
	const { name: packageName, author } = manifest;
	const rows = { packageName, version: tarball.version, author, nodes };
	const database = join(n8n.userFolder, '.n8n', 'database.sqlite');
	const script = join(__dirname, 'recordCommunityPackage.mjs');
	await execa(host.node.binary, [script, database, JSON.stringify(rows)]);
}

async function writeJson(file: string, value: unknown): Promise<void> {
	await writeFile(file, JSON.stringify(value, null, 2));
}
