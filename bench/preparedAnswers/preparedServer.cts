import { join } from 'node:path';
import axios from 'axios';
import execa from 'execa';
import { repositoryRoot } from '../../scripts/repositoryRoot.cts';
import { firstLine } from '../processOutput.cts';
import type { RunRecord } from './runRecord.cts';

/** Longer than the slowest contender takes for one run. */
const LONGEST_RUN_MS = 30 * 60_000;

/** The server of the comparisons (main.cts), in a process of its own. */
export interface PreparedServer {
	/** Scheme, host and port. */
	url: string;
	/**
	 * Starts a contender and returns what the server saw of it, once it is done.
	 * @throws what the contender throws. `done` aborts when it has no longer to be watched.
	 */
	record(contender: (done: AbortSignal) => Promise<unknown>): Promise<RunRecord>;
	end(): Promise<void>;
}

/**
 * @param entries In its log.
 * @param answerAfterMs How long each of its answers takes, as if it were far away.
 */
export async function startPreparedServer(
	entries: number,
	answerAfterMs = 0,
): Promise<PreparedServer> {
	const child = execa(
		process.execPath,
		['--require', 'tsx/cjs', join(__dirname, 'main.cts'), `${entries}`, `${answerAfterMs}`],
		{ cwd: repositoryRoot, stdin: 'ignore', stderr: 'inherit', buffer: false, reject: false },
	);
	const url = await firstLine(child.stdout);
	const http = axios.create({ baseURL: url, proxy: false });
	return {
		url,
		record: async (contender) => {
			await http.post('/bench/new');
			const done = new AbortController();
			const seen = http.get<RunRecord>('/bench/run', { timeout: LONGEST_RUN_MS });
			// A contender that fails never says that it is done.
			await Promise.all([contender(done.signal), seen.finally(() => done.abort())]);
			return (await seen).data;
		},
		end: async () => {
			child.kill('SIGTERM');
			await child;
		},
	};
}
