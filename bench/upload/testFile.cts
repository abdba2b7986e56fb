import { createCipheriv, createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import execa from 'execa';
import { sandboxTokens } from '../../sandbox/fixtures/accounts.cts';

const PIECE_BYTES = 4 * 1024 * 1024;

export interface TestFile {
	path: string;
	name: string;
	bytes: number;
	sha256: string;
}

/** Writes a file of bytes that no compression makes smaller, the same in every run. */
export async function writeTestFile(folder: string, bytes: number): Promise<TestFile> {
	const name = `${bytes}.bin`;
	const path = join(folder, name);
	const noise = createCipheriv('aes-128-ctr', Buffer.alloc(16, 1), Buffer.alloc(16, 2));
	const hash = createHash('sha256');
	const zeros = Buffer.alloc(PIECE_BYTES);
	const file = await open(path, 'w');
	try {
		for (let left = bytes; left > 0; left -= PIECE_BYTES) {
			const piece = noise.update(zeros.subarray(0, left));
			hash.update(piece);
			await file.write(piece);
		}
	} finally {
		await file.close();
	}
	return { path, name, bytes, sha256: hash.digest('hex') };
}

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
