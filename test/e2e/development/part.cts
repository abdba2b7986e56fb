import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import type { INodeTypeDescription } from 'n8n-workflow';
import {
	exampleFiles,
	exampleNodes,
	readExample,
} from '../../../scripts/demo/exampleWorkflows.cts';
import { demoSignIn } from '../../../scripts/demo/startDemo.cts';
import { CUSTOM_PREFIX } from '../../../scripts/development/extensionFolder.cts';
import { finishedExecution, outputOf } from '../../../scripts/n8n/executions.cts';
import { N8nSession } from '../../../scripts/n8n/session.cts';
import { findWorkflow, runWorkflow } from '../../../scripts/n8n/workflows.cts';
import { waitUntil } from '../../../scripts/waitUntil.cts';
import type { Part } from '../part.cts';
import { ClonedTree } from './clonedTree.cts';
import { DevCommand } from './devCommand.cts';

const SCAN_WITHIN_MS = 120_000;
const SHOWN_SOON = { everyMs: 500, withinMs: 20_000 };
const REBUILT = 'Rebuilt, and loaded by n8n';

const NODES = ['consoleAuditLog', 'consoleAuditLogTrigger', 'contentScan', 'contentScanTrigger'];
/** What is changed while it runs: something that the editor shows, and something that the node does. */
const SHOWN = {
	file: 'nodes/ContentScan/ContentScan.node.ts',
	from: "displayName: 'Content Scan'",
	to: "displayName: 'Content Scan as Changed'",
	wanted: 'Content Scan as Changed',
};
const DONE = {
	file: 'services/scanning/scanRecord.ts',
	from: "status: finished ? 'finished'",
	to: "status: finished ? ('finished as changed' as never)",
	before: 'finished',
	wanted: 'finished as changed',
};

/** `npm run dev` in a copy of the working tree. */
export const developmentPart: Part = {
	name: 'development',
	title:
		'`npm run dev`: loaded from a folder of custom extensions, a change is built and taken over',
	run: async (context) => {
		const { check, teardown, folder } = context;
		const tree = await ClonedTree.create(teardown);
		// What it leaves is searched later; the sources, which hold the sandbox's secrets, are not.
		teardown.add(() => cp(join(tree.path, '.n8n-dev'), join(folder, 'n8n'), { recursive: true }));
		const dev = await DevCommand.start(tree.path, join(folder, 'dev.log'), teardown);
		const session = new N8nSession(`http://127.0.0.1:${dev.port}`);
		await session.signIn(demoSignIn);
		await check(`The nodes are loaded as ${CUSTOM_PREFIX}`, () => expectLoaded(session));
		await check('They run', () => scan(session, DONE.before));
		await check('A changed source is built, and n8n shows it without a restart', () =>
			expectTakenOver(tree, dev, session),
		);
		await check('What runs is what was changed', () => scan(session, DONE.wanted));
		await check('Ctrl-C ends everything', () => expectEnd(dev));
	},
};

async function expectLoaded(session: N8nSession): Promise<string> {
	const types = await offered(session);
	const names = types.map(({ name }) => name.replace(/Tool$/, ''));
	const wanted = NODES.map((name) => `${CUSTOM_PREFIX}.${name}`);
	const missing = wanted.filter((name) => !names.includes(name));
	if (missing.length > 0) throw new Error(`n8n does not offer ${missing.join(', ')}.`);
	return wanted.join(', ');
}

async function offered(session: N8nSession): Promise<INodeTypeDescription[]> {
	return await session.readAsset<INodeTypeDescription[]>('/types/nodes.json');
}

/** Runs the example that `npm run dev` has imported, and looks at its status field. */
async function scan(session: N8nSession, wanted: string): Promise<string> {
	const { name } = await readExample(exampleFiles.scan);
	const workflow = await findWorkflow(session, name);
	if (!workflow) throw new Error(`'${name}' was not imported.`);
	const id = await runWorkflow(session, workflow.id, exampleNodes.run);
	const execution = await finishedExecution(session, id, SCAN_WITHIN_MS);
	const status = outputOf(execution, exampleNodes.scanFile).at(0)?.json.status;
	if (status === wanted) return `a file is scanned, status '${status}'`;
	throw new Error(`The execution ended as '${execution.status}', status '${status}'.`);
}

async function expectTakenOver(
	tree: ClonedTree,
	dev: DevCommand,
	session: N8nSession,
): Promise<string> {
	for (const { file, from, to } of [SHOWN, DONE]) {
		const { said } = dev;
		await tree.change(file, from, to);
		await dev.says(REBUILT, said);
	}
	// n8n writes the list anew at each loading, and it has seen the changed files by itself as well.
	const shown = async (): Promise<boolean> => {
		const types: unknown = await offered(session);
		return JSON.stringify(types).includes(JSON.stringify(SHOWN.wanted));
	};
	await waitUntil(`n8n did not show '${SHOWN.wanted}'`, shown, SHOWN_SOON);
	return `'${SHOWN.wanted}'`;
}

async function expectEnd(dev: DevCommand): Promise<string> {
	const taken = await dev.interrupt();
	if (taken.length === 0) return 'n8n and the sandbox have left their ports';
	throw new Error(`Somebody still listens on ${taken.join(', ')}.`);
}
