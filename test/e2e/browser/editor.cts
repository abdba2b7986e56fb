import type { Locator, Page } from 'playwright-core';
import type { Clip } from './screenshots.cts';
import type { SignIn } from '../../../scripts/n8n/session.cts';
import { waitUntil } from '../../../scripts/waitUntil.cts';

/** How long n8n may take to show its help on an expression that was dragged in; not always does it. */
const HELP_WITHIN_MS = 3_000;

/** Where a dragged node is dropped, in pixels of the page. */
const FREE_PLACE = { x: 860, y: 430 };
/** Around what is pictured, and below a node for its name; in pixels of the page. */
const MARGIN = 45;
const LABEL = 70;
/** In milliseconds, on a busy machine. */
const PANEL_OPENS_WITHIN_MS = 5000;
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

	/** An empty canvas, with the node panel open. */
	async newWorkflow(): Promise<void> {
		await this.go('/workflow/new');
		await this.at('canvas-plus-button').click();
	}

	/** Searches a node and opens what it can do. */
	async openActions(words: string, node: string): Promise<void> {
		await this.search(words);
		await this.nodeItem(node).click();
		await this.page.getByText('Node details').waitFor();
	}

	/** On an empty canvas n8n shows a node's triggers, and folds its actions away. */
	async unfoldActions(): Promise<void> {
		await this.page.getByText(/^Actions \(/).click();
	}

	/**
	 * Opens the node panel for what comes after the first node whose output is free. A click goes astray
	 * while the canvas still moves, as it does after a paste.
	 */
	async openWhatComesNext(): Promise<void> {
		const isOpen = async (): Promise<boolean> => {
			await this.at('canvas-handle-plus').first().click();
			const panel = this.at('node-creator-search-bar').waitFor({ timeout: PANEL_OPENS_WITHIN_MS });
			return await panel.then(
				() => true,
				() => false,
			);
		};
		await waitUntil('the panel of nodes did not open', isOpen, { everyMs: 100, withinMs: 60_000 });
	}

	/** An entry of the node panel: a node, or what it can do. */
	nodeItem(words: string | RegExp): Locator {
		return this.at('node-creator-item-name').filter({ hasText: words }).first();
	}

	/** Drags an entry of the node panel onto the canvas. */
	async drag(item: Locator, whileDragging: () => Promise<void>): Promise<void> {
		const { mouse } = this.page;
		const from = await centreOf(item);
		await mouse.move(from.x, from.y);
		await mouse.down();
		await mouse.move(FREE_PLACE.x, FREE_PLACE.y, { steps: DRAG_STEPS });
		await whileDragging();
		await mouse.up();
	}

	/** Drags a field of what comes in into the first condition of an open If. */
	async dragIntoCondition(field: string): Promise<void> {
		const { mouse } = this.page;
		const from = await centreOf(this.at('ndv').getByText(field, { exact: true }).first());
		const to = await centreOf(this.at('filter-condition-left').first());
		await mouse.move(from.x, from.y);
		await mouse.down();
		await mouse.move(to.x, to.y, { steps: DRAG_STEPS });
		await mouse.up();
		// The editor of the expression, which n8n opens somewhat later, lies over what comes next until something
		// else is clicked.
		const help = this.page.getByText('Anything inside').first();
		await help.waitFor({ timeout: HELP_WITHIN_MS }).catch(() => {});
		await this.at('ndv').getByText('Conditions', { exact: true }).click();
		await help.waitFor({ state: 'hidden' });
	}

	/** Puts a workflow on an empty canvas as Ctrl+V does. */
	async pasteIntoNewWorkflow(text: string): Promise<void> {
		await this.go('/workflow/new');
		await this.at('canvas-plus-button').waitFor();
		await this.page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
		await this.at('canvas-background')
			.first()
			.click({ position: { x: 200, y: 300 }, force: true });
		await this.page.keyboard.press('Control+V');
	}

	/** What of the page all nodes and notes on the canvas take, with a margin. */
	async aroundCanvas(): Promise<Clip> {
		const drawn = await this.at('canvas-node').or(this.at('sticky')).all();
		const boxes = (await Promise.all(drawn.map((one) => one.boundingBox()))).filter((box) => !!box);
		const x = Math.min(...boxes.map((box) => box.x)) - MARGIN;
		const y = Math.min(...boxes.map((box) => box.y)) - MARGIN;
		const right = Math.max(...boxes.map((box) => box.x + box.width)) + MARGIN;
		const bottom = Math.max(...boxes.map((box) => box.y + box.height)) + LABEL;
		return { x, y, width: right - x, height: bottom - y };
	}

	nodeOnCanvas(name: string): Locator {
		return this.at('canvas-node').filter({ hasText: name }).first();
	}

	/** Opens a node that is on the canvas. */
	async openNodeOf(name: string): Promise<void> {
		await this.nodeOnCanvas(name).dblclick();
		await this.at('ndv').waitFor();
	}

	/** Adds an entry to the options of the open node. */
	async addOption(words: string): Promise<void> {
		const add = this.at('ndv').getByPlaceholder('Add option');
		await add.or(this.at('ndv').getByText('Add option')).first().click();
		await this.option(words).click();
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

async function centreOf(element: Locator): Promise<{ x: number; y: number }> {
	const box = await element.boundingBox();
	if (!box) throw new Error('What is to be dragged, or where to, cannot be seen.');
	return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}
