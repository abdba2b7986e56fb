import type { Check, User } from './user.cts';

/** The trigger polls once a minute. */
const EXECUTION_WITHIN_MS = 150_000;

const TRIGGER = 'Content Scan Trigger';
/** What the output panel must show: the seeded emails that are not clean, and the scans before. */
const TEST_EVENT = ['10 items', 'malicious', 'finished'];
/** The settings of an open node, and beside them what it puts out. */
const NODE_AND_OUTPUT = { x: 510, y: 25, width: 905, height: 720 };

/** From an empty canvas, with the credential at hand, to an execution for a malicious scan. */
export async function alertOnScans(user: User, check: Check): Promise<void> {
	const { editor, screenshots, setting } = user;
	const { page } = editor;
	await check('The scan trigger is found and placed', async () => {
		await editor.go('/workflow/new');
		await editor.at('canvas-plus-button').click();
		await editor.openActions('malicious', 'Content Scan');
		await screenshots.take('feed-actions');
		await editor.nodeItem('On new').click();
		await editor.at('ndv').waitFor();
		await screenshots.take('feed-new');
		return TRIGGER;
	});
	await check('Fetch Test Event shows the newest scans with a bad verdict', async () => {
		await editor.runOpenNode(TEST_EVENT);
		await screenshots.take('feed-test-event', { name: 'scan-trigger', clip: NODE_AND_OUTPUT });
		return TEST_EVENT.join(', ');
	});
	await check('Published, it starts with a scan that comes in by itself', async () => {
		await editor.closeNode();
		await editor.at('workflow-open-publish-modal-button').click();
		await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click();
		const done = page.getByRole('dialog').filter({ hasText: 'Workflow published' });
		await done.waitFor();
		await screenshots.take('feed-published');
		await done.getByRole('button', { name: 'Got it' }).click();
		const [id] = setting.sandbox.arrive('us', [{}]);
		await editor.at('radio-button-executions').click();
		const ended = editor.at('current-executions-list').getByText('Succeeded');
		// The test event is listed too.
		await ended.nth(1).waitFor({ timeout: EXECUTION_WITHIN_MS });
		await ended.first().click();
		await screenshots.take('feed-executions');
		return id;
	});
}
