import execa from 'execa';
import { sandboxTokens } from '../../sandbox/fixtures/accounts.cts';
import type { TestFile } from './testFile.cts';

/**
 * Uploads a file as the node does, but with curl; returns the seconds it took, curl's start included.
 * @throws Error when the service does not answer with 200
 */
export async function curlUpload(service: string, { path, name }: TestFile): Promise<number> {
	const start = performance.now();
	const { stdout } = await execa(
		'curl',
		[
			...['--silent', '--show-error', '--noproxy', '*', '--output', '/dev/null'],
			...['--write-out', '%{http_code}', '--config', '-'],
			...['--form-string', `name=${name}`, '--form', `data=@${path}`],
			`${service}/api/v1/files/`,
		],
		// Not among the arguments, which every user of the machine can read.
		{ input: `header = "Authorization: Token ${sandboxTokens.parent}"\n` },
	);
	if (stdout !== '200') throw new Error(`curl was answered with ${stdout}.`);
	return (performance.now() - start) / 1000;
}
