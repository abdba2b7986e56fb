import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { describeFailure } from '../../scripts/actionableError.cts';
import { Teardown } from '../../scripts/demo/teardown.cts';
import { duration, type Say } from '../../scripts/progress.cts';
import { repositoryRoot } from '../../scripts/repositoryRoot.cts';
import { keepLogs } from './keptLogs.cts';
import type { Part, PartContext } from './part.cts';
import { UsedSecrets } from './secrets/usedSecrets.cts';
import { hostAndPackage } from '../../scripts/n8n/hostAndPackage.cts';

/** Kept after the run, and emptied by the next. */
export const ARTEFACTS = join(repositoryRoot, 'e2e-artefacts');

export interface PartResult {
	name: string;
	title: string;
	passed: number;
	failed: number;
	milliseconds: number;
}

/** Runs the parts one after the other; a part that fails does not keep the next from running. */
export async function runParts(parts: readonly Part[], teardown: Teardown): Promise<PartResult[]> {
	await rm(ARTEFACTS, { recursive: true, force: true });
	await mkdir(ARTEFACTS, { recursive: true });
	const folder = await mkdtemp(join(tmpdir(), 'content-scan-e2e-'));
	teardown.add(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
	const say = toScreenAndFile(join(ARTEFACTS, 'run.log'));
	const run = {
		...(await hostAndPackage(say, teardown)),
		say,
		secrets: new UsedSecrets(),
		left: [folder, ARTEFACTS],
	};
	const results: PartResult[] = [];
	for (const part of parts) {
		say(`\n${part.name}: ${part.title}`);
		const ofPart = new Teardown();
		teardown.add(() => ofPart.run());
		const own = {
			folder: join(folder, part.name),
			artefacts: join(ARTEFACTS, part.name),
			teardown: ofPart,
		};
		await mkdir(own.folder);
		await mkdir(own.artefacts, { recursive: true });
		results.push(await runPart(part, { ...run, ...own }));
	}
	return results;
}

async function runPart(part: Part, shared: Omit<PartContext, 'check'>): Promise<PartResult> {
	const { say, teardown } = shared;
	const started = Date.now();
	const count = { passed: 0, failed: 0 };
	const reported = new Set<unknown>();
	const report = (what: string, error: unknown): void => {
		if (reported.has(error)) return;
		reported.add(error);
		count.failed += 1;
		say(`✗ ${what}: ${describeFailure(error)}`);
	};
	const check: PartContext['check'] = async (name, examine) => {
		try {
			say(`✓ ${name}: ${await examine()}`);
			count.passed += 1;
		} catch (error) {
			report(name, error);
			throw error;
		}
	};
	await part.run({ ...shared, check }).catch((error: unknown) => report(part.name, error));
	await teardown
		.run()
		.catch((error: unknown) => report('what it started could not be ended', error));
	if (count.failed > 0) {
		await keepLogs(shared.folder, shared.artefacts);
		say(`  The logs are in ${relative(repositoryRoot, shared.artefacts)}/.`);
	}
	const milliseconds = Date.now() - started;
	say(`  ${duration(milliseconds)}`);
	return { name: part.name, title: part.title, ...count, milliseconds };
}

/** What is said is kept, so that it is searched for secrets too. */
function toScreenAndFile(file: string): Say {
	const kept = createWriteStream(file);
	return (line) => {
		console.log(line);
		kept.write(`${line}\n`);
	};
}
