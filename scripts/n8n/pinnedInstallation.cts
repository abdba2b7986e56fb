import { createHash } from 'node:crypto';
import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { npm } from '../npm.cts';
import { withProgress, type Say } from '../progress.cts';
import { installOnce } from './installOnce.cts';

/** Packages that are too large for the clone's own manifests, so that `npm test` stays quick. */
export interface PinnedInstallation {
	/** Folder with the package.json and package-lock.json that name them. */
	manifests: string;
	/** The cache folder. */
	cache: string;
	/** With what the folder's name in the cache begins. */
	name: string;
	/** What is installed, as it begins the sentence "… could not be installed". */
	what: string;
	/** What is said when it has to be installed. */
	announcement: string;
	npmArguments?: string[];
	say: Say;
	/** What is left to do in the folder before it is complete. */
	finish?: (workplace: string) => Promise<void>;
}

const MANIFESTS = ['package.json', 'package-lock.json'];

/** Installs what a lock file pins, once for each user. @returns the folder of its `node_modules` */
export async function installPinned(wanted: PinnedInstallation): Promise<string> {
	const { manifests, cache, name, what, announcement, say, npmArguments = [] } = wanted;
	const folder = join(cache, `${name}-${await keyOf(manifests)}`);
	await installOnce(folder, say, async (workplace) => {
		for (const file of MANIFESTS) await copyFile(join(manifests, file), join(workplace, file));
		await withProgress(say, announcement, () =>
			// Not `npm ci`: it refuses a registry that lacks optional packages of other platforms.
			npm(['install', '--ignore-scripts', '--prefer-offline', ...npmArguments], {
				cwd: workplace,
				what,
			}),
		);
		await wanted.finish?.(workplace);
	});
	return folder;
}

/** What the installation depends on: its manifests, and the platform its native modules are for. */
async function keyOf(manifests: string): Promise<string> {
	const hash = createHash('sha256');
	for (const file of MANIFESTS) hash.update(await readFile(join(manifests, file)));
	return `${hash.digest('hex').slice(0, 12)}-${process.platform}-${process.arch}`;
}
