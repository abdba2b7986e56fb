import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { waitUntil } from '../../../scripts/waitUntil.cts';
import type { Check, User } from './user.cts';

/** The trigger polls once a minute. */
const ALERTED = { everyMs: 1_000, withinMs: 150_000 };

const TRIGGER = 'Content Scan Trigger';
/** What the output panel must show, of the newest scan first. */
const TEST_EVENT = ['10 items', 'malicious', 'finished'];
/** The settings of an open node, and beside them what it puts out. */
const NODE_AND_OUTPUT = { x: 510, y: 25, width: 905, height: 720 };

/** From an empty canvas, with the credential at hand and no option touched, to an alert on a malicious scan. */
export async function alertOnScans(user: User, check: Check): Promise<void> {
	const { editor, screenshots, setting } = user;
	const { page } = editor;
	const alerts = await receiveAlerts();
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
		const now = Date.now();
		setting.sandbox.arrive('us', [{ at: now - 5_000, finishAt: now - 1_000 }]);
		await editor.runOpenNode(TEST_EVENT);
		await screenshots.take('feed-test-event', { name: 'scan-trigger', clip: NODE_AND_OUTPUT });
		return TEST_EVENT.join(', ');
	});
	await check('A second node is all that an alert needs', async () => {
		await editor.closeNode();
		await editor.openWhatComesNext();
		await editor.search('http request');
		await editor.nodeItem(/^HTTP Request$/).click();
		await editor.at('ndv').waitFor();
		await editor.input('url').fill(alerts.url);
		await editor.closeNode();
		await editor.at('zoom-to-fit').click();
		await screenshots.take('feed-canvas');
		return 'HTTP Request, with its URL';
	});
	await check('Published, it alerts on a malicious scan that comes in by itself', async () => {
		await editor.at('workflow-open-publish-modal-button').click();
		await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click();
		const done = page.getByRole('dialog').filter({ hasText: 'Workflow published' });
		await done.waitFor();
		await screenshots.take('feed-published');
		await done.getByRole('button', { name: 'Got it' }).click();
		setting.sandbox.arrive('us', [{ verdict: 'MAL' }, { verdict: 'CLN' }]);
		await editor.at('radio-button-executions').click();
		await waitUntil('no alert arrived', async () => alerts.count() > 0, ALERTED);
		const ended = editor.at('current-executions-list').getByText('Succeeded');
		// The test event is listed too.
		await ended.nth(1).waitFor();
		await ended.first().click();
		await screenshots.take('feed-executions');
		await alerts.stop();
		if (alerts.count() > 1) throw new Error(`${alerts.count()} alerts arrived.`);
		return 'one alert, none for the clean scan beside it';
	});
}

/** Where the alerts of a workflow arrive. */
async function receiveAlerts() {
	let count = 0;
	const server = createServer((_request, response) => {
		count += 1;
		response.end();
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	// A run that is broken off here must not be kept alive by it.
	server.unref();
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}/`,
		count: () => count,
		stop: async () => {
			server.closeAllConnections();
			server.close();
		},
	};
}
