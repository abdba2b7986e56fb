/**
 * `npm run docs:pictures`: goes through n8n's editor as the part 'browser' does, and writes the
 * pictures of the documentation anew.
 */
import { copyFile, mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { repositoryRoot } from '../../../scripts/repositoryRoot.cts';
import { ARTEFACTS, runParts } from '../runParts.cts';
import { interruptible } from '../../../scripts/interruptible.cts';
import { browserPart } from './part.cts';

const MOST_BYTES = 150_000;

void interruptible(async (teardown) => {
	const results = await runParts([browserPart], teardown);
	if (results.some(({ failed }) => failed > 0)) return 1;
	const taken = join(ARTEFACTS, browserPart.name, 'pictures');
	const kept = join(repositoryRoot, 'docs', 'images');
	await mkdir(kept, { recursive: true });
	for (const name of await readdir(taken)) {
		const { size } = await stat(join(taken, name));
		if (size > MOST_BYTES) throw new Error(`${name} has ${size} bytes, more than ${MOST_BYTES}.`);
		await copyFile(join(taken, name), join(kept, name));
		console.log(`docs/images/${name}: ${size} bytes`);
	}
	return 0;
});
