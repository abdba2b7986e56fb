import type { Locator, Page } from 'playwright-core';
import type { SignIn } from '../../../scripts/n8n/session.cts';

/** Where a dragged node is dropped, in pixels of the page. */
const FREE_PLACE = { x: 860, y: 430 };
/** A drag is one only if the pointer moves in steps. */
const DRAG_STEPS = 12;

/** n8n's editor as its user handles it. */
export class Editor {
	constructor(
		readonly page: Page,
		private readonly url: string,
	) {}

	/** What n8n marks with this id for tests. */
	at(id: string): Locator {
		return this.page.locator(`[data-test-id="${id}"]`);
	}

	async go(path: string): Promise<void> {
		await this.page.goto(`${this.url}${path}`);
	}

	async signIn({ email, password }: SignIn): Promise<void> {
		await this.go('/signin');
		await this.page.locator('input[type=email]').fill(email);
		await this.page.locator('input[type=password]').fill(password);
		await this.at('form-submit-button').click();
		await this.page.waitForURL((to) => !to.pathname.startsWith('/signin'));
	}

	/** The input of a parameter or of a credential's field; the nth, where there are rows of it. */
	input(name: string, row = 0): Locator {
		return this.at(`parameter-input-${name}`).nth(row).locator('input, textarea').first();
	}

	/** Chooses from a list of options by the words the user reads. */
	async choose(name: string, option: string): Promise<void> {
		await this.at(`parameter-input-${name}`).click();
		await this.option(option).click();
	}

	/** An entry of a list that is open. */
	option(words: string): Locator {
		const kinds = ['.el-select-dropdown__item', '[data-test-id=collection-parameter-option]'];
		const shown = kinds.map((kind) => `${kind}:visible`).join(', ');
		return this.page.locator(shown).filter({ hasText: words }).first();
	}

	/** The names of the nodes that the search of the node panel finds, in its order. */
	async search(words: string): Promise<string[]> {
		await this.at('node-creator-search-bar').fill(words);
		const found = this.at('node-creator-item-name').or(this.at('node-creator-no-results'));
		await found.first().waitFor();
		// The list follows the typing at a small distance.
		await this.page.waitForTimeout(500);
		const names = await this.at('node-creator-item-name').allInnerTexts();
		return names.map((name) => name.trim());
	}

	/** Searches a node and opens what it can do. */
	async openActions(words: string, node: string): Promise<void> {
		await this.search(words);
		await this.nodeItem(node).click();
		await this.page.getByText('Node details').waitFor();
	}

	/** An entry of the node panel: a node, or what it can do. */
	nodeItem(words: string): Locator {
		return this.at('node-creator-item-name').filter({ hasText: words }).first();
	}

	/** Drags an entry of the node panel onto the canvas. */
	async drag(item: Locator, whileDragging: () => Promise<void>): Promise<void> {
		const box = await item.boundingBox();
		if (!box) throw new Error('What is to be dragged cannot be seen.');
		const { mouse } = this.page;
		await mouse.move(box.x + 10, box.y + 5);
		await mouse.down();
		await mouse.move(FREE_PLACE.x, FREE_PLACE.y, { steps: DRAG_STEPS });
		await whileDragging();
		await mouse.up();
	}

	/** Runs the open node, and waits until its output panel shows all these words. */
	async runOpenNode(wanted: readonly string[]): Promise<void> {
		await this.at('node-execute-button').first().click();
		for (const words of wanted) {
			await this.at('output-panel').getByText(words, { exact: true }).first().waitFor();
		}
	}

	async closeNode(): Promise<void> {
		await this.at('ndv-close-button').click();
		await this.at('ndv').waitFor({ state: 'hidden' });
	}
}
