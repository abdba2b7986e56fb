import { WARM_UP_RUNS } from '../comparison/contenders.cts';
import type { Bench } from '../measurement.cts';
import { startPreparedServer } from '../preparedAnswers/preparedServer.cts';
import { LogContenders } from './logContenders.cts';

/** How much is read, and how often. */
export function logRounds({ quick }: Bench) {
	return quick ? QUICK : FULL;
}

const FULL = { entries: 100_000, warmUps: WARM_UP_RUNS, rounds: 15, pageSizes: [100, 1000] };
const QUICK = { entries: 20_000, warmUps: 1, rounds: 2, pageSizes: [1000] };

/** How contenders in n8n are made even, for the page of results. */
export const EVEN = `Each trigger and reader has run ${WARM_UP_RUNS} times unmeasured, and they change their order from round to
round. Before every run n8n has ended what went before, and collected its garbage: else that falls into some
runs and not into others.`;

/** Contenders for the log of a server of their own. */
export async function contendersOf(
	bench: Bench,
	entries: number,
	answerAfterMs = 0,
): Promise<LogContenders> {
	const server = await startPreparedServer(entries, answerAfterMs);
	bench.teardown.add(() => server.end());
	return await LogContenders.on(server, entries, await bench.n8n(), bench.host.node.binary);
}
