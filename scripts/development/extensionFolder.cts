import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import manifest from '../../package.json';
import { repositoryRoot } from '../repositoryRoot.cts';

/** With what n8n begins the types of nodes that it loads from a folder of custom extensions. */
export const CUSTOM_PREFIX = 'CUSTOM';

/**
 * A folder of custom extensions with the built package. It is a copy outside of the clone: there, the
 * nodes would find the clone's own n8n-workflow, and n8n does not recognise the errors of another one
 * than its own.
 */
export class ExtensionFolder {
	private constructor(readonly path: string) {}

	static async create(): Promise<ExtensionFolder> {
		return new ExtensionFolder(await mkdtemp(join(tmpdir(), 'content-scan-extensions-')));
	}

	/** Takes over what was built last. n8n expects packages below `node_modules`. */
	async takeOver(): Promise<void> {
		const target = join(this.path, 'node_modules', manifest.name, 'dist');
		await cp(join(repositoryRoot, 'dist'), target, { recursive: true });
	}

	async remove(): Promise<void> {
		await rm(this.path, { recursive: true, force: true });
	}
}
