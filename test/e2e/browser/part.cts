import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { demoSignIn } from '../../../scripts/demo/startDemo.cts';
import type { Part } from '../part.cts';
import { alertOnScans } from './alertOnScans.cts';
import { branchFiles } from './branchFiles.cts';
import { branchOnClean } from './branchOnClean.cts';
import { startBrowserSetting } from './browserSetting.cts';
import { buildWorkflow } from './buildWorkflow.cts';
import { CredentialForm } from './credentialForm.cts';
import { makeServiceAccount } from './credentialSteps.cts';
import { Editor } from './editor.cts';
import { openEditorPage } from './editorPage.cts';
import { findNodes } from './findNodes.cts';
import { findPlantedFaults } from './plantedFaults.cts';
import { pasteExamples } from './pasteExamples.cts';
import { publishAndWatch } from './publishAndWatch.cts';
import { Screenshots } from './screenshots.cts';

/** n8n's editor in Debian's Chromium, as a user goes through it for the first time. */
export const browserPart: Part = {
	name: 'browser',
	title: 'in a browser: find, place and connect the nodes, credentials, test event, scan, publish',
	run: async (context) => {
		const { artefacts, check, secrets } = context;
		const setting = await startBrowserSetting(context);
		const page = await openEditorPage(setting);
		const pictures = join(artefacts, 'pictures');
		await mkdir(pictures);
		const screenshots = new Screenshots(page, artefacts, pictures);
		const editor = new Editor(page, setting.n8n.url);
		const form = new CredentialForm(editor);
		const user = { editor, form, screenshots, setting, secrets };
		try {
			await check('Planted faults of a page are found', () => findPlantedFaults(page));
			await check('The owner signs in', async () => {
				await editor.signIn(demoSignIn);
				return new URL(page.url()).pathname;
			});
			await check('The package is under Settings, Community Nodes', async () => {
				await editor.go('/settings/community-nodes');
				await page.getByText('n8n-nodes-content-scan').first().waitFor();
				await screenshots.take('community-nodes');
				return 'as installed';
			});
			await findNodes(user, check);
			await buildWorkflow(user, check);
			await publishAndWatch(user, check);
			await makeServiceAccount(user, check);
			await branchOnClean(user, check);
			await branchFiles(user, check);
			await alertOnScans(user, check);
			await pasteExamples(user, check);
		} catch (error) {
			// A browser that has been ended has nothing to show.
			await page.screenshot({ path: join(artefacts, 'where-it-failed.png') }).catch(() => {});
			throw error;
		}
		await check('Nothing is cut off, raw or missing in either theme', async () => {
			const { allFaults, count } = screenshots;
			if (allFaults.length > 0) throw new Error(`\n  ${allFaults.join('\n  ')}`);
			return `${count} steps`;
		});
	},
};
