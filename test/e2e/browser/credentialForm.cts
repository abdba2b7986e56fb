import type { Locator } from 'playwright-core';
import type { Editor } from './editor.cts';

/** Saving includes n8n's test of the credential. */
const SAVED_WITHIN_MS = 60_000;

/** The form of a credential, while it is open. */
export class CredentialForm {
	constructor(private readonly editor: Editor) {}

	get dialog(): Locator {
		return this.editor.at('editCredential-modal');
	}

	/** The form without what lies around it. */
	get window(): Locator {
		return this.dialog.locator('.el-dialog').or(this.dialog).last();
	}

	/** From an open node that has no credential yet. */
	async openFromNode(): Promise<void> {
		await this.editor.at('node-credentials-empty-state').locator('button').first().click();
		await this.dialog.waitFor();
	}

	/** From the list of credentials, by the name of its type. */
	async openFromList(type: string): Promise<void> {
		await this.editor.go('/home/credentials');
		await this.editor.page.getByRole('button', { name: 'Create credential' }).first().click();
		const types = this.editor.at('new-credential-type-select');
		await types.locator('input').fill(type);
		await this.editor.option(type).click();
		await this.editor.at('new-credential-type-button').click();
		await this.dialog.waitFor();
	}

	async fill(values: Record<string, string>): Promise<void> {
		for (const [name, value] of Object.entries(values)) {
			await this.editor.input(name).fill(value);
		}
	}

	/** Fills rows of a name and a value, and makes those that are not there. */
	async fillHeaders(headers: Record<string, string>): Promise<void> {
		await this.editor.input('name').waitFor();
		for (const [row, [name, value]] of Object.entries(headers).entries()) {
			const there = await this.editor.at('parameter-input-name').count();
			if (row >= there) await this.dialog.getByRole('button', { name: 'Add Header' }).click();
			await this.editor.input('name', row).fill(name);
			await this.editor.input('value', row).fill(value);
		}
	}

	/**
	 * Saves, which lets n8n test the credential.
	 * @returns what n8n shows when the test failed; nothing when the credential works, which closes the
	 *   form if it was opened from a node
	 */
	async save(): Promise<string | undefined> {
		await this.editor.at('credential-save-button').click();
		const works = this.dialog.getByText('Connection tested successfully');
		const details = this.dialog.getByText('More details');
		const patience = { timeout: SAVED_WITHIN_MS };
		await Promise.race([
			this.dialog.waitFor({ state: 'hidden', ...patience }),
			works.waitFor(patience),
			details.waitFor(patience),
		]);
		if (!(await details.isVisible())) return undefined;
		await details.click();
		const failed = this.dialog.getByText('Couldn’t connect with these settings');
		const banner = failed.locator('xpath=ancestor::span[contains(@class, "el-tag")][last()]');
		return await banner.innerText();
	}
}
