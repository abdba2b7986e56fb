import type { Page } from 'playwright-core';
import type { BrowserSetting } from './browserSetting.cts';

const SIZE = { width: 1440, height: 900 };
const PATIENCE_MS = 60_000;

/** A page for n8n's editor: it reaches this computer only, and nothing in it moves by itself. */
export async function openEditorPage({ browser }: BrowserSetting): Promise<Page> {
	const context = await browser.newContext({ viewport: SIZE, reducedMotion: 'reduce' });
	await context.grantPermissions(['clipboard-read', 'clipboard-write']);
	// The editor asks the public npm registry for the package's versions.
	await context.route(
		({ hostname }) => hostname !== '127.0.0.1',
		(route) => route.abort(),
	);
	// The loader that runs the tests marks functions with it, also those that are sent to the page.
	await context.addInitScript({ content: 'globalThis.__name ??= (value) => value;' });
	// n8n's hint at pinned data, shown once, would cover a part of the output.
	await context.addInitScript(() => localStorage.setItem('N8N_PIN_DATA_DISCOVERY_NDV', 'true'));
	const page = await context.newPage();
	page.setDefaultTimeout(PATIENCE_MS);
	return page;
}
