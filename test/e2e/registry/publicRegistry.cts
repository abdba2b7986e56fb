import execa from 'execa';
import type { N8nHost } from '../../../scripts/n8n/host.cts';

const SETTINGS = 'n8n/dist/modules/community-packages/community-packages.config.js';

/** Host of the registry from which this n8n installs community packages, by its own settings. */
export async function publicRegistryHost({ folder, node }: N8nHost): Promise<string> {
	const script = `
		require('reflect-metadata');
		const { CommunityPackagesConfig } = require('${SETTINGS}');
		console.log(new CommunityPackagesConfig().registry);`;
	const { stdout } = await execa(node.binary, ['--eval', script], { cwd: folder });
	return new URL(stdout).host;
}
