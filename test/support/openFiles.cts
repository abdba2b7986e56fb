import { readdirSync, readlinkSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Turns of the event loop that closing a file may take. */
const MOST_TURNS = 1_000;

/** Files in n8n's binary storage of the tests that this process has open. */
function openStoredFiles(): string[] {
	return readdirSync('/proc/self/fd')
		.map((descriptor) => {
			try {
				return readlinkSync(`/proc/self/fd/${descriptor}`);
			} catch {
				// The descriptor of this very listing.
				return '';
			}
		})
		.filter((path) => path.includes('n8n-engine-') && path.includes('binary'));
}

/**
 * How many of n8n's stored files are open, once there are `expected` or turns enough have passed.
 * Only Linux tells what is open; elsewhere it is `expected`.
 */
export async function openFilesOnce(expected: number): Promise<number> {
	if (process.platform !== 'linux') return expected;
	for (let turn = 0; turn < MOST_TURNS && openStoredFiles().length !== expected; turn++) {
		await nextTurn();
	}
	return openStoredFiles().length;
}
