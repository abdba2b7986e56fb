import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import manifest from '../../../package.json';
import { pageFaults } from './pageFaults.cts';

const themes = ['light', 'dark'] as const;
/** Until the editor has repainted. */
const REPAINTED_AFTER_MS = 400;

/** What of a page becomes a picture of the documentation, in pixels of the page. */
export type Clip = { x: number; y: number; width: number; height: number };

/** Takes a picture of each step, in the light and in the dark theme, and looks for what is wrong. */
export class Screenshots {
	private taken = 0;
	private readonly faults: string[] = [];

	constructor(
		private readonly page: Page,
		/** Receives the pictures, and what can be read on each. */
		private readonly folder: string,
		/** Receives the pictures for the documentation. */
		private readonly pictureFolder: string,
	) {}

	/** @param picture Also keep this much of it, in the light theme, for the documentation. */
	async take(name: string, picture?: { name: string; clip: Clip | Locator }): Promise<void> {
		await this.hideMessages();
		const number = String(++this.taken).padStart(2, '0');
		for (const theme of themes) {
			await this.page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
			await this.page.waitForTimeout(REPAINTED_AFTER_MS);
			const file = join(this.folder, `${number}-${name}.${theme}`);
			await this.page.screenshot({ path: `${file}.png` });
			const found = await this.page.evaluate(pageFaults, { theme, packageName: manifest.name });
			this.faults.push(...found.map((fault) => `${number}-${name}, ${theme}: ${fault}`));
			if (theme === 'light') {
				await writeFile(`${file}.txt`, await this.page.locator('body').innerText());
				if (picture) await this.takePicture(picture.name, picture.clip);
			}
		}
		await this.page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
		await this.page.waitForTimeout(REPAINTED_AFTER_MS);
	}

	/** What was wrong on the pictures so far, in sentences. */
	get allFaults(): readonly string[] {
		return this.faults;
	}

	get count(): number {
		return this.taken;
	}

	private async takePicture(name: string, clip: Clip | Locator): Promise<void> {
		const path = join(this.pictureFolder, `${name}.png`);
		if ('x' in clip) await this.page.screenshot({ path, clip });
		else await clip.screenshot({ path });
	}

	/** n8n's own messages lie over the page for some seconds; a click on them would close a list. */
	private async hideMessages(): Promise<void> {
		const tip = this.page
			.getByText('You can pin this output')
			.locator(
				'xpath=ancestor-or-self::*[@role="tooltip" or contains(@class, "el-popper") or @data-reka-popper-content-wrapper]',
			);
		await this.page
			.locator('.el-notification')
			.or(tip)
			.evaluateAll((messages) =>
				messages.forEach((message) => {
					if (message instanceof HTMLElement) message.style.visibility = 'hidden';
				}),
			);
	}
}
