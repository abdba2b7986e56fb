import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageSteps, scanFolder } from './package/packageSteps.cts';
import { repositoryRoot } from './repositoryRoot.cts';
import { allPassed, runSteps, stepTable, type Step } from './steps/runSteps.cts';
import { runTool } from './runTool.cts';

/** Two, so that the tests, which use every processor themselves, are not slowed beyond need. */
const STEPS_AT_ONCE = 2;

/** `npm test`: everything that has to hold before a change is shared. Returns the exit code. */
export async function run(jestArguments: string[]): Promise<number> {
	const started = Date.now();
	const say = (line: string): void => console.log(line);
	const folder = await mkdtemp(join(tmpdir(), 'content-scan-test-'));
	try {
		const results = await runSteps(testSteps(folder, jestArguments), STEPS_AT_ONCE, say);
		say(`\n${stepTable(results, Date.now() - started)}`);
		return allPassed(results) ? 0 : 1;
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

/** `folder` takes the packed package. */
function testSteps(folder: string, jestArguments: string[]): Step[] {
	const [build, ...ofThePackage] = packageSteps(folder).steps;
	return [
		build,
		{ name: 'formatting', run: () => runTool('prettier', ['--check', '.']) },
		{ name: 'lint', run: () => runTool('n8n-node', ['lint']) },
		{
			name: 'imports look down',
			run: () => runTool('depcruise', ['nodes', 'credentials', 'services', 'input', 'transport']),
		},
		{ name: 'types', run: () => runTool('tsc', ['-p', 'tsconfig.tools.json']) },
		{
			name: 'tests',
			needs: ['build'],
			showOutput: true,
			run: () => runTool('jest', ['--coverage', ...jestArguments]),
		},
		{ name: 'scan of the tree', run: () => scanFolder(repositoryRoot, 'source') },
		...ofThePackage,
	];
}
