import { sampleUrls } from '../../../sandbox/fixtures/samples.cts';
import { addIfVerdictIsClean, neverFinished } from './branchSteps.cts';
import { onlyItemOn, runOnCanvas } from './runOnCanvas.cts';
import type { Check, User } from './user.cts';

const SCAN = 'Scan a URL';
const WAYS = {
	phishing: 'false',
	suspicious: 'false',
	undocumented: 'false',
	clean: 'true',
} as const;
/** What the output panel must show. */
const VERDICT = ['1 item', 'finished', 'malicious'];
/** The settings of an open node, and beside them what it puts out. */
const NODE_AND_OUTPUT = { x: 510, y: 25, width: 905, height: 720 };

/** From an empty canvas to scanned URLs that go where their verdict sends them. */
export async function branchOnClean(user: User, check: Check): Promise<void> {
	const { editor, screenshots } = user;
	await check(
		'On an empty canvas, Scan a URL shows a verdict, with no option touched',
		async () => {
			await editor.newWorkflow();
			await editor.openActions('scan url', 'Content Scan');
			await editor.unfoldActions();
			await screenshots.take('branch-actions');
			await editor.nodeItem(SCAN).click();
			await editor.at('ndv').waitFor();
			await editor.input('url').fill(sampleUrls.phishing);
			await editor.runOpenNode(VERDICT);
			await screenshots.take('branch-verdict', { name: 'verdict', clip: NODE_AND_OUTPUT });
			await editor.closeNode();
			return VERDICT.join(', ');
		},
	);
	await addIfVerdictIsClean(user, check);
	await check('Only a clean URL goes to true', async () => {
		const said: string[] = [];
		for (const [name, way] of entriesOf(WAYS)) {
			await editor.openNodeOf(SCAN);
			await editor.input('url').fill(sampleUrls[name]);
			await editor.closeNode();
			const { verdict } = onlyItemOn(way, await runOnCanvas(user)).json;
			await screenshots.take(`branch-${name}`);
			said.push(`${verdict} to ${way}`);
		}
		return said.join(', ');
	});
	await neverFinished(user, check, SCAN);
}

function entriesOf<Key extends string, Value>(of: Record<Key, Value>): Array<[Key, Value]> {
	return Object.entries(of) as Array<[Key, Value]>;
}
