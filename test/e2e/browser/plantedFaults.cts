import type { Page } from 'playwright-core';
import manifest from '../../../package.json';
import { pageFaults } from './pageFaults.cts';

/** Each of them must be found; what begins with "fine" must not. */
const PLANTED = `
	<img src="http://127.0.0.1:1/missing.png" width="20" height="20" alt="">
	<img src="http://127.0.0.1:1/icons/${manifest.name}/light.svg" width="20" height="20" alt="">
	<p>{{ $json.verdict }}</p>
	<p>&lt;b&gt;bold&lt;/b&gt;</p>
	<p style="width: 40px; overflow: hidden; white-space: nowrap">too long for its place</p>
	<p>fine: 24 items</p>
	<p style="display: none">fine: {{ hidden }}</p>`;

const WANTED = [
	'the picture missing.png is missing',
	'the icon light.svg is of the other theme',
	'"{{ $json.verdict }}" is not meant for users',
	'"<b>bold</b>" is not meant for users',
	'"too long for its place" is cut off',
];

/** A look that finds nothing says something only if it would find something. */
export async function findPlantedFaults(page: Page): Promise<string> {
	await page.setContent(PLANTED);
	const found = await page.evaluate(pageFaults, {
		theme: 'dark' as const,
		packageName: manifest.name,
	});
	const missed = WANTED.filter((fault) => !found.includes(fault));
	const invented = found.filter((fault) => fault.includes('fine'));
	if (missed.length + invented.length === 0) return `${WANTED.length} of ${WANTED.length}`;
	throw new Error(`Not found: ${missed.join('; ')}. Found for nothing: ${invented.join('; ')}.`);
}
