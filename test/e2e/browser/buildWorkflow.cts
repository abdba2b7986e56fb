import { findWorkflow } from '../../../scripts/n8n/workflows.cts';
import { waitUntil } from '../../../scripts/waitUntil.cts';
import { makeHeadersCredential, makeTokenCredential } from './credentialSteps.cts';
import type { Check, User } from './user.cts';

const TRIGGER = 'Console Audit Log Trigger';
const SCAN = 'Scan a URL';
export const WORKFLOW = 'My workflow';
const PHISHING = 'https://login.phishing.example/account';
/** What the output panel must show. */
const TEN_ENTRIES = ['10 items', 'auditlogId', 'createdAt'];
const TEN_VERDICTS = ['10 items', 'finished', 'malicious'];
/** The settings of an open node, and beside them what it puts out. */
const NODE_AND_OUTPUT = { x: 510, y: 25, width: 905, height: 720 };
const SAVED = { everyMs: 500, withinMs: 30_000 };

/** From the open node panel of a new workflow to a workflow that has been tried. */
export async function buildWorkflow(user: User, check: Check): Promise<void> {
	const { editor, screenshots } = user;
	await check('The trigger is placed', async () => {
		await editor.openActions('audit', 'Console Audit Log');
		await screenshots.take('trigger-actions');
		await editor.nodeItem('On new').click();
		await editor.at('ndv').waitFor();
		await screenshots.take('trigger-new');
		return TRIGGER;
	});
	await makeHeadersCredential(user, check);
	await check('Fetch Test Event shows the newest entries', async () => {
		await screenshots.take('trigger-ready');
		await editor.runOpenNode(TEN_ENTRIES);
		await screenshots.take('test-event', { name: 'test-event', clip: NODE_AND_OUTPUT });
		return TEN_ENTRIES.join(', ');
	});
	await check('The scan node is dragged onto the canvas', async () => {
		await editor.closeNode();
		await editor.at('node-creator-plus-button').click();
		await editor.openActions('phishing', 'Content Scan');
		await screenshots.take('scan-actions');
		const item = editor.nodeItem(SCAN);
		await editor.drag(item, () => screenshots.take('dragging'));
		await editor.at('ndv').waitFor();
		await screenshots.take('scan-new');
		return SCAN;
	});
	await makeTokenCredential(user, check);
	await check('A scan shows its verdict, with no option touched', async () => {
		await editor.input('url').fill(PHISHING);
		await screenshots.take('scan-ready');
		await editor.runOpenNode(TEN_VERDICTS);
		await screenshots.take('verdict');
		return TEN_VERDICTS.join(', ');
	});
	await check('The two are connected', async () => {
		await editor.closeNode();
		await editor.at('zoom-to-fit').click();
		await screenshots.take('canvas');
		await waitUntil('n8n did not save the connection', () => isConnected(user), SAVED);
		return `${TRIGGER} → ${SCAN}`;
	});
}

async function isConnected({ setting }: User): Promise<boolean> {
	const workflow = await findWorkflow(setting.n8n.session, WORKFLOW);
	return workflow?.connections[TRIGGER]?.main?.[0]?.some(({ node }) => node === SCAN) ?? false;
}
