import { copyFile, mkdtemp } from 'node:fs/promises';
import { basename, join } from 'node:path';

/** A node of the benchmark: most do the least that their work takes, beside one of this package. */
export interface BareNode {
	/** Its type in an n8n that loads its folder. */
	type: string;
	/** Path of its code. */
	file: string;
}

export const BARE_READER: BareNode = {
	type: 'CUSTOM.bareReader',
	file: join(__dirname, '..', 'entriesPerSecond', 'BareReader.node.cjs'),
};

export const BARE_UPLOADER: BareNode = {
	type: 'CUSTOM.bareUploader',
	file: join(__dirname, '..', 'upload', 'BareUploader.node.cjs'),
};

export const GARBAGE_COLLECTOR: BareNode = {
	type: 'CUSTOM.garbageCollector',
	file: join(__dirname, 'GarbageCollector.node.cjs'),
};

/** The setting with which n8n loads them. n8n takes files that end with `.node.js`. */
export async function bareNodeSetting(nodes: readonly BareNode[], folder: string) {
	const home = await mkdtemp(join(folder, 'nodes-'));
	for (const { file } of nodes) {
		await copyFile(file, join(home, basename(file).replace(/\.cjs$/, '.js')));
	}
	return { N8N_CUSTOM_EXTENSIONS: home };
}
