import { join } from 'node:path';
import { runTool } from '../runTool.cts';

/**
 * Runs n8n's package scanner over a folder: a working tree, or an unpacked tarball.
 * @throws ActionableError with what it found
 */
export async function scanFolder(folder: string, kind: 'source' | 'tarball'): Promise<string> {
	const script = join(__dirname, 'scanPackage.mjs');
	return await runTool(process.execPath, [script, folder, kind]);
}
