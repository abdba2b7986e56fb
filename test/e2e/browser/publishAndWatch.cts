import { findWorkflow } from '../../../scripts/n8n/workflows.cts';
import { WORKFLOW } from './buildWorkflow.cts';
import type { Check, User } from './user.cts';

/** The trigger polls once a minute. */
const EXECUTION_WITHIN_MS = 150_000;

/** The test event and the scan before; n8n lists them too. */
const TRIED_BY_HAND = 2;

/** From the canvas to the executions that the trigger starts by itself. */
export async function publishAndWatch(user: User, check: Check): Promise<void> {
	const { editor, screenshots, setting } = user;
	const { page } = editor;
	await check('The workflow is published', async () => {
		await editor.at('workflow-open-publish-modal-button').click();
		await screenshots.take('publish');
		await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click();
		const done = page.getByRole('dialog').filter({ hasText: 'Workflow published' });
		await done.waitFor();
		await screenshots.take('published');
		await done.getByRole('button', { name: 'Got it' }).click();
		return 'n8n says what starts it';
	});
	await check('Executions arrive', async () => {
		await editor.at('radio-button-executions').click();
		const ended = editor.at('current-executions-list').getByText('Succeeded');
		await ended.nth(TRIED_BY_HAND).waitFor({ timeout: EXECUTION_WITHIN_MS });
		await ended.first().click();
		await screenshots.take('executions');
		return `${(await ended.count()) - TRIED_BY_HAND} by the trigger`;
	});
	await check('It is unpublished again', async () => {
		// The scans of a URL for each entry would start the scan trigger of a later step.
		const { session } = setting.n8n;
		const workflow = await findWorkflow(session, WORKFLOW);
		await session.call('POST', `/workflows/${workflow?.id}/deactivate`);
		return WORKFLOW;
	});
}
