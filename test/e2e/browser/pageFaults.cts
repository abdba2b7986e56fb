/**
 * Looks over the page as it is painted. It runs in the browser, so it knows nothing outside of itself.
 * @returns what is wrong, in sentences: pictures that are missing or of the other theme, texts that
 *   are codes, texts that are cut off
 */
export function pageFaults({
	theme,
	packageName,
}: {
	theme: 'light' | 'dark';
	packageName: string;
}): string[] {
	const raw = /\{\{|\}\}|\[object \w+\]|\bundefined\b|\bNaN\b|<\/?[a-z]+[^>]*>|&(lt|gt|amp|nbsp);/;
	const faults: string[] = [];
	const isShown = (element: Element): boolean =>
		element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }) &&
		element.getBoundingClientRect().width > 0;

	for (const image of document.images) {
		if (!isShown(image)) continue;
		const name = new URL(image.src).pathname.split('/').pop();
		if (image.complete && image.naturalWidth === 0) faults.push(`the picture ${name} is missing`);
		if (!image.src.includes(`/${packageName}/`)) continue;
		// The head of n8n's node panel keeps the icon of the theme in which the panel was opened.
		const inPanel = image.closest('[data-test-id=node-creator]') !== null;
		if (inPanel && !image.closest('[data-keyboard-nav-id]')) continue;
		if (image.src.endsWith('.dark.svg') !== (theme === 'dark')) {
			faults.push(`the icon ${name} is of the other theme`);
		}
	}
	const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	for (let node = texts.nextNode(); node; node = texts.nextNode()) {
		const text = node.textContent?.trim() ?? '';
		const element = node.parentElement;
		if (text === '' || !element || !isShown(element)) continue;
		// An editor of expressions shows them; that is what it is for.
		const isExpression = element.closest('.cm-editor, .cm-tooltip') !== null;
		if (!isExpression && raw.test(text)) faults.push(`"${text}" is not meant for users`);
		// What stands under n8n's own nodes on the canvas is n8n's affair.
		const ownNode = element.closest('[data-test-id=canvas-node]');
		if (ownNode && !ownNode.querySelector(`img[src*="/${packageName}/"]`)) continue;
		const { overflowX, textOverflow } = getComputedStyle(element);
		// A copy for screen readers.
		if (element.clientWidth <= 1) continue;
		const hides = overflowX !== 'visible' || textOverflow === 'ellipsis';
		if (hides && element.scrollWidth > element.clientWidth + 1) {
			faults.push(`"${text}" is cut off`);
		}
	}
	return [...new Set(faults)];
}
