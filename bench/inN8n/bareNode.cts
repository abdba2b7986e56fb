import { copyFile, mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';

/** A node that does the least that its work takes, measured beside one of this package. */
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

/** The setting with which n8n loads it. n8n takes files that end with `.node.js`. */
export async function bareNodeSetting({ file }: BareNode, folder: string) {
	const home = join(folder, basename(file, '.node.cjs'));
	await mkdir(home, { recursive: true });
	await copyFile(file, join(home, basename(file).replace(/\.cjs$/, '.js')));
	return { N8N_CUSTOM_EXTENSIONS: home };
}
