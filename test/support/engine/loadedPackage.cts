import { existsSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import type { ICredentialType, INodeType, INodeTypes, IVersionedNodeType } from 'n8n-workflow';
import { engine } from './engine.cts';
import { nodeRequire, onePerProcess } from './outsideJest.cts';
import { STAND_IN_CREDENTIALS, STAND_IN_NODES } from './standInTypes.cts';

/** The repository, whose built package (dist/) is tested unless a test names another folder. */
export const REPOSITORY = resolve(__dirname, '../../..');

/** A package of nodes and credentials, loaded by n8n's own loader. */
export interface LoadedPackage {
	/** npm name of the package: the prefix of its node types. */
	name: string;
	nodeTypes: INodeTypes;
	/** The full type of a node: `contentScan` becomes `n8n-nodes-content-scan.contentScan`. */
	fullType(type: string): string;
	credentialType(name: string): ICredentialType;
	/** The types that a credential type extends, all the way up. */
	parentTypes(name: string): string[];
}

const loaded = onePerProcess('packages', () => new Map<string, Promise<LoadedPackage>>());

/**
 * Loads the package of a folder as n8n loads an installed community package: from what is built.
 * @throws Error naming the file when the package is not built.
 */
export async function loadPackage(folder: string = REPOSITORY): Promise<LoadedPackage> {
	const known = loaded.get(folder);
	if (known) return await known;
	return await reloadPackage(folder);
}

/** Loads it anew, modules and all, as after a restart of n8n: what the modules held in memory is gone. */
export async function reloadPackage(folder: string = REPOSITORY): Promise<LoadedPackage> {
	for (const file of Object.keys(nodeRequire.cache)) {
		const within = file.startsWith(folder + sep) && file.slice(folder.length);
		if (within && !within.includes(`${sep}node_modules${sep}`)) delete nodeRequire.cache[file];
	}
	const loading = load(folder);
	loaded.set(folder, loading);
	return await loading;
}

async function load(folder: string): Promise<LoadedPackage> {
	const { core, workflow } = engine();
	const loader = new core.PackageDirectoryLoader(folder);
	const { nodes = [], credentials = [] } = loader.packageJson.n8n ?? {};
	for (const file of [...nodes, ...credentials]) {
		if (!existsSync(join(folder, file)))
			throw new Error(`${file} is missing: build the package first`);
	}
	await loader.loadAll();
	const prefix = `${loader.packageName}.`;

	const nodeByName = (type: string): INodeType | IVersionedNodeType =>
		STAND_IN_NODES[type] ??
		loader.getNode(type.startsWith(prefix) ? type.slice(prefix.length) : type).type;
	return {
		name: loader.packageName,
		fullType: (type) => (type.includes('.') ? type : prefix + type),
		nodeTypes: {
			getByName: nodeByName,
			getByNameAndVersion: (type, version) =>
				workflow.NodeHelpers.getVersionedNodeType(nodeByName(type), version),
			getKnownTypes: () => ({}),
		},
		credentialType: (name) => STAND_IN_CREDENTIALS[name] ?? loader.getCredential(name).type,
		parentTypes: (name) => {
			const parents = [...(loader.known.credentials[name]?.extends ?? [])];
			for (const parent of parents)
				parents.push(...(loader.known.credentials[parent]?.extends ?? []));
			return parents;
		},
	};
}
