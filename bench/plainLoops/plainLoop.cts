import { join } from 'node:path';
import { measuredApart } from '../measuredApart.cts';
import type { PreparedServer } from '../preparedAnswers/preparedServer.cts';
import type { RunRecord } from '../preparedAnswers/runRecord.cts';

interface AxiosLoop {
	url: string;
	keepAlive: boolean;
	headers: Record<string, string>;
}

/** What a process of its own does with bare axios: read the log, or send it on as lines too. */
export type PlainLoop =
	| (AxiosLoop & { kind: 'log'; pageSize: number })
	| (AxiosLoop & { kind: 'siem'; pageSize: number; batchBytes: number });

/** Runs it with n8n's own Node, and returns what the server saw of its last, warm turn. */
export async function runPlainLoop(
	server: PreparedServer,
	node: string,
	loop: PlainLoop,
): Promise<RunRecord> {
	const options = { node, nodeArguments: ['--expose-gc'] };
	return await server.record(
		async () => await measuredApart(join(__dirname, 'main.cts'), [JSON.stringify(loop)], options),
	);
}
