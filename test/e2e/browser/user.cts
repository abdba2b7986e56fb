import type { UsedSecrets } from '../secrets/usedSecrets.cts';
import type { PartContext } from '../part.cts';
import type { BrowserSetting } from './browserSetting.cts';
import type { CredentialForm } from './credentialForm.cts';
import type { Editor } from './editor.cts';
import type { Screenshots } from './screenshots.cts';

/** What a step of the user has at hand. */
export interface User {
	editor: Editor;
	form: CredentialForm;
	screenshots: Screenshots;
	setting: BrowserSetting;
	/** What is typed in beyond the sandbox's own secrets. */
	secrets: UsedSecrets;
}

export type Check = PartContext['check'];
