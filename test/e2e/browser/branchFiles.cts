import type { INode, INodeExecutionData } from 'n8n-workflow';
import { eicarTestFile, sampleLines } from '../../../sandbox/fixtures/samples.cts';
import { workflowNode } from '../triggerInN8n/triggerWorkflow.cts';
import { addIfClean, neverFinished } from './branchSteps.cts';
import { onlyItemOn, runOnCanvas } from './runOnCanvas.cts';
import type { Check, User } from './user.cts';

const SCAN = 'Scan a file';
const FILE_NAME = 'invoice.txt';
/** Texts of the files after the malicious one, and where they go. */
const FURTHER = [
	[sampleLines.suspicious, 'false'],
	[sampleLines.undocumented, 'false'],
	['Nothing bad.', 'true'],
] as const;

/** As the URLs, with a file that must arrive behind the If. */
export async function branchFiles(user: User, check: Check): Promise<void> {
	const { editor, screenshots } = user;
	await check('After what brings a file, Scan a File passes it on', async () => {
		await editor.pasteIntoNewWorkflow(pasteable(eicarTestFile().toString('latin1')));
		await editor.openWhatComesNext();
		await editor.openActions('scan file', 'Content Scan');
		await editor.nodeItem(SCAN).click();
		await editor.at('ndv').waitFor();
		await editor.runOpenNode(['1 item', FILE_NAME]);
		await screenshots.take('file-verdict');
		await editor.closeNode();
		return 'with no option touched';
	});
	await addIfClean(user, check, 'file');
	await check('A malicious file goes to false', async () => {
		const item = onlyItemOn('false', await runOnCanvas(user));
		await screenshots.take('branch-file');
		return fileIn(item);
	});
	await check('Suspicious and unknown ones too, and only a clean one goes to true', async () => {
		const said: string[] = [];
		for (const [text, way] of FURTHER) {
			await editor.openNodeOf('Text');
			await editor.at('assignment-value').locator('textarea, input').first().fill(text);
			await editor.closeNode();
			said.push(`${fileIn(onlyItemOn(way, await runOnCanvas(user)))} to ${way}`);
		}
		return said.join('; ');
	});
	await neverFinished(user, check, SCAN, fileIn);
}

/** @throws Error when the item has no file */
function fileIn({ binary, json }: INodeExecutionData): string {
	const name = binary?.data?.fileName;
	if (name !== FILE_NAME) throw new Error(`The file is ${name}.`);
	return `${json.verdict ?? json.status}, with ${name}`;
}

/** What brings the file: n8n's own nodes, which are not what is examined here. */
function pasteable(text: string): string {
	const nodes: INode[] = [
		workflowNode('Run', 'n8n-nodes-base.manualTrigger', 1, {}),
		workflowNode('Text', 'n8n-nodes-base.set', 3.4, {
			assignments: { assignments: [{ id: 'text', name: 'text', type: 'string', value: text }] },
		}),
		workflowNode('Make File', 'n8n-nodes-base.convertToFile', 1.1, {
			operation: 'toText',
			sourceProperty: 'text',
			options: { fileName: FILE_NAME },
		}),
	].map((node, index) => ({ ...node, position: [index * 220, 0] }));
	const connections = Object.fromEntries(
		nodes
			.slice(1)
			.map(({ name }, index) => [
				nodes[index].name,
				{ main: [[{ node: name, type: 'main', index: 0 }]] },
			]),
	);
	return JSON.stringify({ nodes, connections });
}
