import type { RateLimitedServerOptions } from '../../test/support/rateLimitedServer';
import { SharedServer } from './sharedServer.cts';
import type { Harm } from './simulatedWorker.cts';

const MINUTE_MS = 60_000;
const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
const CONFIGURED = 100;
const LOWER = 40;
const WORKERS = [CONFIGURED, CONFIGURED, CONFIGURED];
/** The time in which a queue is to find the rate that the service allows. */
const MINUTES_TO_SETTLE = 2;
const MINUTES_OF_USE = 12;
/** More than a worker can send in any of these runs. */
const CALLS = 2_000;

/** How a service tells with a 429 when to come again: no public source shows it. */
const RETRY_AFTER: ReadonlyArray<[string, RateLimitedServerOptions['retryAfter']]> = [
	['the true time', 'honest'],
	['none', 'none'],
	['always 60 s', MINUTE_MS],
	['always 1 s', 1_000],
];

/** Calls that all wait from the start, sent by one worker at the rate that the server allows. */
export interface SteadyFigures extends Harm {
	calls: number;
	perMinute: number;
	/** The least time the limit allows, in seconds. */
	leastSeconds: number;
	seconds: number;
	refused: number;
}

/** A number over several runs that differ in chance only. */
export interface Spread {
	mean: number;
	worst: number;
}

/** How a queue gets on with a rate that it was not configured with. */
export interface AdaptationFigures extends Harm {
	situation: string;
	retryAfter: string;
	runs: number;
	/** Runs in which no minute was settled. */
	neverSettled: number;
	settledSeconds: Spread;
	use: Spread;
	refusals: Spread;
	/** The smallest and the largest of a worker, where there are several. */
	shares?: [number, number];
}

export async function steady(calls: number, perMinute: number): Promise<SteadyFigures> {
	const shared = new SharedServer({
		limit: perMinute,
		workers: [perMinute],
		callsOfEach: calls,
		seed: 1,
	});
	const start = shared.clock.now();
	await shared.finish();
	const [worker] = shared.workers;
	return {
		calls,
		perMinute,
		leastSeconds: 60 * Math.floor((calls - 1) / perMinute),
		seconds: (Math.max(...worker.answeredAt) - start) / 1000,
		refused: shared.server.refused.length,
		...worker.harm,
	};
}

export async function adaptations(): Promise<AdaptationFigures[]> {
	const all: AdaptationFigures[] = [];
	for (const [name, retryAfter] of RETRY_AFTER) {
		const one = { retryAfter, workers: [CONFIGURED], callsOfEach: CALLS };
		const lowered = await overSeeds((seed) => adapting({ ...one, limit: LOWER, seed }));
		all.push(summary(`allowed ${LOWER}, configured ${CONFIGURED}`, name, lowered));
		const raised = await overSeeds((seed) => raising({ ...one, limit: LOWER, seed }));
		all.push(summary(`from ${LOWER} to ${CONFIGURED}`, name, raised));
		const three = { ...one, workers: WORKERS, limit: CONFIGURED };
		const shared = await overSeeds((seed) => adapting({ ...three, seed }));
		all.push(summary(`${WORKERS.length} workers share ${CONFIGURED}`, name, shared));
	}
	return all;
}

interface Adaptation extends Harm {
	settledMs?: number;
	use: number;
	refusals: number;
	shares: number[];
}

async function overSeeds(run: (seed: number) => Promise<Adaptation>): Promise<Adaptation[]> {
	const runs: Adaptation[] = [];
	for (const seed of SEEDS) runs.push(await run(seed));
	return runs;
}

type Situation = ConstructorParameters<typeof SharedServer>[0];

/** The server allows less than its workers were configured with together. */
async function adapting(situation: Situation): Promise<Adaptation> {
	return await watched(new SharedServer(situation));
}

/** The server goes back to what the worker was configured with. */
async function raising(situation: Situation): Promise<Adaptation> {
	const shared = new SharedServer(situation);
	// At another point of the queue's own rhythm with each seed.
	await shared.goOn(5 + situation.seed / 5);
	shared.server.limit = CONFIGURED;
	return await watched(shared);
}

async function watched(shared: SharedServer): Promise<Adaptation> {
	const start = shared.clock.now();
	await shared.goOn(MINUTES_TO_SETTLE);
	const use = await shared.goOn(MINUTES_OF_USE);
	const settledMs = shared.settledAfterMs(start);
	await shared.finish();
	const harms = shared.workers.map(({ harm }) => harm);
	return { settledMs, ...use, ...added(harms) };
}

function summary(
	situation: string,
	retryAfter: string,
	runs: readonly Adaptation[],
): AdaptationFigures {
	const settled = runs.flatMap(({ settledMs }) => (settledMs === undefined ? [] : [settledMs]));
	const seconds = settled.map((ms) => ms / 1000);
	const shares = runs.flatMap((run) => (run.shares.length > 1 ? run.shares : []));
	const uses = runs.map(({ use }) => use);
	const refusals = runs.map((run) => run.refusals);
	return {
		situation,
		retryAfter,
		runs: runs.length,
		neverSettled: runs.length - settled.length,
		settledSeconds: { mean: mean(seconds), worst: Math.max(...seconds) },
		use: { mean: mean(uses), worst: Math.min(...uses) },
		refusals: { mean: mean(refusals), worst: Math.max(...refusals) },
		...(shares.length > 0 ? { shares: [Math.min(...shares), Math.max(...shares)] } : {}),
		...added(runs),
	};
}

function added(harms: readonly Harm[]): Harm {
	const sum = (key: keyof Harm): number => harms.reduce((total, harm) => total + harm[key], 0);
	return { lost: sum('lost'), twice: sum('twice'), overtaken: sum('overtaken') };
}

function mean(numbers: readonly number[]): number {
	return numbers.reduce((total, number) => total + number, 0) / numbers.length;
}
