import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Teardown } from '../../../scripts/demo/teardown.cts';
import { repositoryRoot } from '../../../scripts/repositoryRoot.cts';

/** What is made by commands, and what is too large to copy. */
const LEFT_OUT = [
	'node_modules',
	'dist',
	'coverage',
	'release',
	'e2e-artefacts',
	'.git',
	'.n8n-demo',
];

/** A copy of the working tree that may be changed; its dependencies are the tree's own. */
export class ClonedTree {
	private constructor(readonly path: string) {}

	static async create(teardown: Teardown): Promise<ClonedTree> {
		const path = await mkdtemp(join(tmpdir(), 'content-scan-tree-'));
		teardown.add(() => rm(path, { recursive: true, force: true, maxRetries: 5 }));
		await cp(repositoryRoot, path, {
			recursive: true,
			filter: (source) => !LEFT_OUT.includes(basename(source)),
		});
		await symlink(join(repositoryRoot, 'node_modules'), join(path, 'node_modules'));
		return new ClonedTree(path);
	}

	/** @throws Error when the file does not hold what is to be replaced */
	async change(file: string, from: string, to: string): Promise<void> {
		const path = join(this.path, file);
		const text = await readFile(path, 'utf8');
		if (!text.includes(from)) throw new Error(`${file} does not hold '${from}'.`);
		await writeFile(path, text.replace(from, to));
	}
}
