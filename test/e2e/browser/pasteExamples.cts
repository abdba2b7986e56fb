import { allExampleFiles, readExample } from '../../../scripts/demo/exampleWorkflows.cts';
import type { Check, User } from './user.cts';

/** The one that the README shows. */
const PICTURED = 'alert-on-malicious-scans.json';
const NOTE = 'n8n-nodes-base.stickyNote';

/** Each example as it stands in its file, copied and pasted onto an empty canvas. */
export async function pasteExamples({ editor, screenshots }: User, check: Check): Promise<void> {
	await check('Each example can be pasted onto an empty canvas', async () => {
		const files = await allExampleFiles();
		for (const file of files) {
			const example = await readExample(file);
			await editor.pasteIntoNewWorkflow(JSON.stringify(example));
			for (const { name, type } of example.nodes) {
				if (type === NOTE) await editor.at('sticky').first().waitFor();
				else await editor.nodeOnCanvas(name).waitFor();
			}
			if (file !== PICTURED) continue;
			await editor.at('zoom-to-fit').click();
			await screenshots.take('pasted', { name: 'alert', clip: await editor.aroundCanvas() });
		}
		return `${files.length} examples`;
	});
}
