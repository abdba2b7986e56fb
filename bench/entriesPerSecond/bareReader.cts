import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';

/** The bare reader's type in an n8n that loads its folder. */
export const BARE_READER = 'CUSTOM.bareReader';

/** @returns a folder for n8n's setting N8N_CUSTOM_EXTENSIONS, which takes files that end with `.node.js` */
export async function bareReaderFolder(folder: string): Promise<string> {
	const home = join(folder, 'bare-reader');
	await mkdir(home);
	await copyFile(join(__dirname, 'BareReader.node.cjs'), join(home, 'BareReader.node.js'));
	return home;
}
