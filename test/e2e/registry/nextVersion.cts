import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packPackage, unpack, type Tarball } from '../../../scripts/package/tarball.cts';

/** Written into n8n's log by each poll of the next version. */
export const POLLED_BY = 'polled by version';

const TRIGGER = 'ConsoleAuditLogTrigger';
const TRIGGER_FILE = join('dist', 'nodes', 'ConsoleAuditLog', `${TRIGGER}.node.js`);

/**
 * The package as its next version: the same code under a higher number, and a line in n8n's log with
 * that number at each poll, by which one sees which version runs.
 */
export async function nextVersion(tarball: Tarball, folder: string): Promise<Tarball> {
	const [major, minor, patch] = tarball.version.split('.').map(Number);
	const version = [major, minor, patch + 1].join('.');
	const source = join(folder, 'package');
	await unpack(tarball.file, source);
	const manifestFile = join(source, 'package.json');
	const manifest = JSON.parse(await readFile(manifestFile, 'utf8'));
	await writeFile(manifestFile, JSON.stringify({ ...manifest, version }, null, 2));
	await appendFile(
		join(source, TRIGGER_FILE),
		`
const { poll } = exports.${TRIGGER}.prototype;
exports.${TRIGGER}.prototype.poll = async function () {
	this.logger.info('${POLLED_BY} ${version}');
	return await poll.call(this);
};
`,
	);
	return await packPackage(folder, source);
}
