import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import execa from 'execa';
import type { N8nHost } from '../../scripts/n8n/host.cts';

/** The versions of an installed n8n and of the Node that runs it. */
export async function versionsOf({
	folder,
	node,
}: N8nHost): Promise<{ n8n: string; node: string }> {
	const manifest = join(folder, 'node_modules', 'n8n', 'package.json');
	const { version } = JSON.parse(await readFile(manifest, 'utf8')) as { version: string };
	const { stdout } = await execa(node.binary, ['--version']);
	return { n8n: version, node: stdout.replace(/^v/, '') };
}
