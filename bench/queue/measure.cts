import { markdownTable } from '../../scripts/measurements/markdownTable.cts';
import type { RateLimitedServerOptions } from '../../test/support/rateLimitedServer';
import type { Bench, Outcome } from '../measurement.cts';
import { valueFinding, type Finding } from '../results/finding.cts';
import { realTime } from './realTime.cts';
import { Simulation, type Harm, type SimulationOptions, type Use } from './simulation.cts';

/** Of the least time that the limit allows. */
const MOST_TIME = 1.02;
const SIMULATED = [
	{ calls: 1_000, perMinute: 100 },
	{ calls: 10_000, perMinute: 1_000 },
];
const REAL = { scans: 400, perMinute: 180 };

const CONFIGURED = 100;
const LOWER = 40;
/** More calls than a worker can send in any of these runs. */
const MANY_CALLS = 2_000;
const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
const MINUTES_TO_SETTLE = 2;
const MINUTES_OF_USE = 12;
const GOALS = { use: 85, refusals: 6, settledSeconds: 120 };

/** How a service tells with a 429 when to come again: no public source shows it. */
const RETRY_AFTER: ReadonlyArray<[string, RateLimitedServerOptions['retryAfter']]> = [
	['the true time', 'honest'],
	['none', 'none'],
	['always 60 s', 60_000],
	['always 1 s', 1_000],
];

/** How close scans come to the least time that the licensed rate allows. */
export async function measureLicensedRate({ quick, say }: Bench): Promise<Outcome> {
	const findings: Finding[] = [];
	for (const { calls, perMinute } of SIMULATED) {
		const simulation = new Simulation({ limit: perMinute, workers: [perMinute], calls, seed: 1 });
		const start = simulation.clock.now();
		await simulation.clock.run();
		const seconds = (simulation.lastAnswerAt - start) / 1000;
		const counts = { '429s': simulation.server.refused.length, ...simulation.harm };
		findings.push(...rateFindings(`${calls} scans`, perMinute, 'simulated time', seconds, counts));
	}
	if (!quick) {
		const { scans, perMinute } = REAL;
		const { seconds, ...counts } = await realTime(scans, perMinute, say);
		findings.push(...rateFindings(`${scans} scans`, perMinute, 'real time', seconds, counts));
	}
	return { findings, details: HOW_LICENSED };
}

function rateFindings(
	scans: string,
	perMinute: number,
	time: string,
	seconds: number,
	counts: object,
): Finding[] {
	const least = 60 * Math.floor((Number.parseInt(scans, 10) - 1) / perMinute);
	const title = `${scans} at ${perMinute} a minute, ${time}`;
	const subject = `${title}: ${seconds.toFixed(1)} s, where ${least} s is the least`;
	const bound = { atMost: MOST_TIME, stable: true };
	return [valueFinding(subject, seconds / least, '×', bound), ...noneOf(title, counts)];
}

function noneOf(title: string, counts: object): Finding[] {
	return Object.entries(counts).map(([what, count]: [string, number]) =>
		valueFinding(`${title}: ${what}`, count, '', { atMost: 0, stable: true }),
	);
}

interface Adaptation extends Use, Harm {
	settledSeconds: number;
}

/** How the queue finds a rate that it was not configured with, by refusals alone. */
export async function measureSharedRate({ quick }: Bench): Promise<Outcome> {
	const one = { workers: [CONFIGURED], limit: LOWER };
	const situations: Array<[string, Pick<SimulationOptions, 'workers' | 'limit'>, number?]> = [
		[`allowed ${LOWER}, configured ${CONFIGURED}`, one],
		[`from ${LOWER} to ${CONFIGURED}`, one, CONFIGURED],
		[`3 workers share ${CONFIGURED}`, { workers: Array(3).fill(CONFIGURED), limit: CONFIGURED }],
	];
	const findings: Finding[] = [];
	const rows: string[][] = [];
	for (const [title, situation, raisedTo] of situations) {
		const all: Adaptation[] = [];
		for (const [name, retryAfter] of RETRY_AFTER) {
			const runs: Adaptation[] = [];
			for (const seed of quick ? SEEDS.slice(0, 2) : SEEDS) {
				runs.push(
					await adaptation({ ...situation, retryAfter, seed, calls: MANY_CALLS }, raisedTo),
				);
			}
			all.push(...runs);
			rows.push([title, name, ...cells(runs)]);
		}
		const worst = (of: (run: Adaptation) => number): number => Math.max(...all.map(of));
		const least = 100 * Math.min(...all.map(({ use }) => use));
		const refused = 100 * worst(({ refusals }) => refusals);
		const settled = worst(({ settledSeconds }) => settledSeconds);
		const [use, refusals, seconds] = [
			{ atLeast: GOALS.use, stable: true },
			{ atMost: GOALS.refusals, stable: true },
			{ atMost: GOALS.settledSeconds, stable: true },
		];
		findings.push(
			valueFinding(`${title}: rate used`, least, '%', use),
			valueFinding(`${title}: refused for each accepted call`, refused, '%', refusals),
			valueFinding(`${title}: settled after`, settled, 's', seconds),
			...noneOf(title, {
				lost: worst(({ lost }) => lost),
				twice: worst(({ twice }) => twice),
				overtaken: worst(({ overtaken }) => overtaken),
			}),
		);
	}
	const head = ['Calls a minute', 'Retry-After', 'Settled after (s)', 'Rate used'];
	const table = markdownTable([...head, '429s for each call', 'Share of a worker'], rows);
	return { findings, details: `${HOW_SHARED}\n\n${table}` };
}

async function adaptation(options: SimulationOptions, raisedTo?: number): Promise<Adaptation> {
	const simulation = new Simulation(options);
	if (raisedTo !== undefined) {
		// At another point of the queue's own rhythm with each seed.
		await simulation.goOn(5 + options.seed / 5);
		simulation.server.limit = raisedTo;
	}
	const start = simulation.clock.now();
	await simulation.goOn(MINUTES_TO_SETTLE);
	const use = await simulation.goOn(MINUTES_OF_USE);
	const settledSeconds = simulation.settledAfterMs(start) / 1000;
	await simulation.clock.run();
	return { settledSeconds, ...use, ...simulation.harm };
}

/** Of several runs: the mean, in brackets the worst. */
function cells(runs: readonly Adaptation[]): string[] {
	const mean = (of: (run: Adaptation) => number): number =>
		runs.reduce((sum, run) => sum + of(run), 0) / runs.length;
	const worst = (of: (run: Adaptation) => number): number => Math.max(...runs.map(of));
	const percent = (part: number): string => `${(100 * part).toFixed(1)} %`;
	const settled = ({ settledSeconds }: Adaptation): number => settledSeconds;
	const shares = runs.flatMap((run) => (run.shares.length > 1 ? run.shares : []));
	return [
		`${Math.round(mean(settled))} (${worst(settled)})`,
		`${percent(mean(({ use }) => use))} (${percent(-worst(({ use }) => -use))})`,
		`${percent(mean(({ refusals }) => refusals))} (${percent(worst(({ refusals }) => refusals))})`,
		shares.length > 0 ? `${percent(Math.min(...shares))} to ${percent(Math.max(...shares))}` : '',
	];
}

const HOW_LICENSED = `The least time for n calls is 60 s × ⌊(n − 1) ÷ rate⌋: the limit holds in every 60 s, so the calls go
out a minute's worth at a time. Lost: never answered. Twice: sent again although answered or on the wire. Overtaken:
sent while an earlier call waited. Simulated: the real queue on a clock that is moved, against a server
that counts strictly, with 20 to 160 ms each way. Real: one execution in n8n-core's engine over HTTP to
the sandbox, which is as strict; from the first call to the last in its journal.`;

const HOW_SHARED = `Simulated time. The first table has the worst of all runs, the second for each kind of Retry-After the
mean of its runs, which differ in latency and jitter, and in brackets the worst. Settled: from the change
to the beginning of the first minute in which 85 % of the rate is used with at most one refusal in twenty
calls. Rate used and refusals: from minute 3 to minute 14 after the change. The workers know nothing of
each other: their shares level out over minutes and are not equal at any moment.`;
