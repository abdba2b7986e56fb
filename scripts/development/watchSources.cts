import { watch } from 'node:fs';
import { join } from 'node:path';
import { describeFailure } from '../actionableError.cts';
import { buildPackage } from '../package/build.cts';
import type { Say } from '../progress.cts';
import { repositoryRoot } from '../repositoryRoot.cts';

const SOURCES = ['nodes', 'credentials', 'services', 'transport', 'input', 'icons'];

/** An editor that saves several files at once sets off one build. */
const SETTLED_AFTER_MS = 200;

/**
 * Builds `dist/` again after each change of a source, one build at a time, and then calls `rebuilt`.
 * What cannot be built is said, and the next change is waited for.
 * @returns what ends it
 */
export function watchSources(say: Say, rebuilt: () => Promise<void>): () => void {
	let timer: NodeJS.Timeout | undefined;
	let building = Promise.resolve();
	const build = async (): Promise<void> => {
		try {
			await buildPackage();
			await rebuilt();
		} catch (error) {
			say(describeFailure(error));
		}
	};
	const changed = (): void => {
		clearTimeout(timer);
		timer = setTimeout(() => (building = building.then(build)), SETTLED_AFTER_MS);
	};
	const watchers = SOURCES.map((folder) =>
		watch(join(repositoryRoot, folder), { recursive: true }, changed),
	);
	return () => {
		clearTimeout(timer);
		watchers.forEach((watcher) => watcher.close());
	};
}
