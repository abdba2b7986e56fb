import type { INodeTypeDescription } from 'n8n-workflow';
import type { N8nSession } from '../../../scripts/n8n/session.cts';

/** n8n runs npm within the call. */
const NPM_WITHIN_MS = 180_000;

/** As n8n shows it under Settings > Community nodes. */
export interface InstalledPackage {
	packageName: string;
	installedVersion: string;
	installedNodes: Array<{ name: string; type: string; latestVersion: number }>;
	/** The version that the registry has beyond it. */
	updateAvailable?: string;
	failedLoading?: boolean;
}

/** What the buttons of Settings > Community nodes do. */
export class CommunityPackages {
	constructor(private readonly session: N8nSession) {}

	async list(): Promise<InstalledPackage[]> {
		return await this.session.call('GET', '/community-packages', undefined, NPM_WITHIN_MS);
	}

	async install(name: string): Promise<InstalledPackage> {
		return await this.session.call('POST', '/community-packages', { name }, NPM_WITHIN_MS);
	}

	/** To the newest version. */
	async update(name: string): Promise<InstalledPackage> {
		return await this.session.call('PATCH', '/community-packages', { name }, NPM_WITHIN_MS);
	}

	async uninstall(name: string): Promise<void> {
		const query = new URLSearchParams({ name });
		await this.session.call('DELETE', `/community-packages?${query}`, undefined, NPM_WITHIN_MS);
	}

	/** The types of the package that n8n offers in its editor. */
	async offered(name: string): Promise<OfferedTypes> {
		const nodes = await this.session.readAsset<INodeTypeDescription[]>('/types/nodes.json');
		const ofPackage = nodes.filter((type) => type.name.startsWith(`${name}.`));
		const all = await this.session.readAsset<Array<{ name: string }>>('/types/credentials.json');
		return {
			nodes: ofPackage.map((type) => type.name),
			versions: new Set(ofPackage.map((type) => type.communityNodePackageVersion)),
			credentials: all.map((type) => type.name),
		};
	}
}

export interface OfferedTypes {
	/** Full names. A node that is usable as a tool stands a second time, with the ending Tool. */
	nodes: string[];
	/** Of the package that the nodes come from. */
	versions: Set<string | undefined>;
	/** Names of all credential types, of this package or another. */
	credentials: string[];
}
