import { markdownTable } from '../../scripts/measurements/markdownTable.cts';
import { originOf, type Records } from '../../scripts/measurements/records.cts';
import type { RealTimeFigures } from './realTime.cts';
import type { AdaptationFigures, Spread, SteadyFigures } from './simulations.cts';
import type { Harm } from './simulatedWorker.cts';

export type QueueFigures =
	| { kind: 'simulated'; steady: SteadyFigures[]; adaptations: AdaptationFigures[] }
	| { kind: 'realTime'; figures: RealTimeFigures };

/** What is promised: of the permitted rate, in steady state; and how soon another rate is found. */
const BOUNDS = { rateUsed: 0.98, settledSeconds: 120 };

function rateUsed({ leastSeconds, seconds }: { leastSeconds: number; seconds: number }): number {
	return leastSeconds / seconds;
}

const percent = (part: number): string => `${(100 * part).toFixed(1)} %`;

const inPercent = ({ mean, worst }: Spread): string => `${percent(mean)} (${percent(worst)})`;

const round = (seconds: number): number => Number(seconds.toFixed(1));

const harm = ({ lost, twice, overtaken }: Harm): number[] => [lost, twice, overtaken];

const HARM = ['Lost', 'Twice', 'Overtaken'];

export function steadyTable(all: readonly QueueFigures[]): string {
	const rows = all.flatMap((one) => {
		if (one.kind !== 'simulated') return [];
		return one.steady.map((figures) => {
			const { calls, perMinute, leastSeconds, seconds, refused } = figures;
			const used = percent(rateUsed(figures));
			return [calls, perMinute, leastSeconds, seconds, used, refused, ...harm(figures)];
		});
	});
	return markdownTable(
		['Calls', 'A minute', 'Least time (s)', 'Time (s)', 'Rate used', '429s', ...HARM],
		rows,
	);
}

export function adaptationTable(all: readonly QueueFigures[]): string {
	const rows = all.flatMap((one) => {
		if (one.kind !== 'simulated') return [];
		return one.adaptations.map((figures) => {
			const { situation, retryAfter, settledSeconds, use, refusals, shares } = figures;
			const { mean, worst } = settledSeconds;
			const settled = `${Math.round(mean)} (${Math.round(worst)})`;
			const ofEach = shares?.map(percent).join(' to ') ?? '';
			const counts = harm(figures);
			return [
				situation,
				retryAfter,
				settled,
				inPercent(use),
				inPercent(refusals),
				ofEach,
				...counts,
			];
		});
	});
	const settled = 'Settled after (s)';
	const shares = 'Share of a worker';
	return markdownTable(
		['Calls a minute', 'Retry-After', settled, 'Rate used', '429s for each call', shares, ...HARM],
		rows,
	);
}

export function realTimeTable(all: readonly QueueFigures[]): string {
	const rows = all.flatMap((one) => {
		if (one.kind !== 'realTime') return [];
		const { scans, perMinute, leastSeconds, seconds, executionSeconds, ...counts } = one.figures;
		const { refused, failed, lost, twice, outOfOrder } = counts;
		const times = [leastSeconds, round(seconds), percent(rateUsed(one.figures))];
		return [
			[
				scans,
				perMinute,
				...times,
				round(executionSeconds),
				refused,
				failed,
				lost,
				twice,
				outOfOrder,
			],
		];
	});
	const time = ['Least time (s)', 'Time (s)', 'Rate used', 'Execution (s)'];
	const counts = ['429s', 'Other failures', 'Lost', 'Twice', 'Out of order'];
	return markdownTable(['URL scans', 'A minute', ...time, ...counts], rows);
}

/** What is wrong with the figures, in sentences; none is what should be. */
export function faultsOf(one: QueueFigures): string[] {
	if (one.kind === 'realTime') {
		const { refused, failed, lost, twice, outOfOrder } = one.figures;
		return [
			...rateFaults('In real time', one.figures),
			...present('In real time', { '429s': refused, failed, lost, twice, outOfOrder }),
		];
	}
	return [...one.steady.flatMap(steadyFaults), ...one.adaptations.flatMap(adaptationFaults)];
}

function steadyFaults(figures: SteadyFigures): string[] {
	const { calls, perMinute, refused, lost, twice, overtaken } = figures;
	const title = `${calls} calls at ${perMinute} a minute`;
	return [
		...rateFaults(title, figures),
		...present(title, { '429s': refused, lost, twice, overtaken }),
	];
}

function adaptationFaults(figures: AdaptationFigures): string[] {
	const { situation, retryAfter, neverSettled, settledSeconds, lost, twice, overtaken } = figures;
	const title = `${situation}, Retry-After ${retryAfter}`;
	const late = settledSeconds.worst > BOUNDS.settledSeconds;
	return [
		...(late ? [`${title}: settled only after ${settledSeconds.worst} s.`] : []),
		...present(title, { 'runs never settled': neverSettled, lost, twice, overtaken }),
	];
}

function rateFaults(title: string, figures: { leastSeconds: number; seconds: number }): string[] {
	const used = rateUsed(figures);
	return used >= BOUNDS.rateUsed ? [] : [`${title}: only ${percent(used)} of the rate used.`];
}

function present(title: string, counts: Record<string, number>): string[] {
	return Object.entries(counts)
		.filter(([, count]) => count > 0)
		.map(([what, count]) => `${title}: ${count} ${what}.`);
}

/** The page of figures; it is written by `npm run bench:queue -- --record` and not by hand. */
export function queuePage(records: Records<QueueFigures>): string {
	const all = Object.values(records).map(({ figures }) => figures);
	const hint = all.flatMap((one) => (one.kind === 'realTime' ? [one.figures.hint] : [])).join(' ');
	return `# The call queue and the licensed rate

How well the call queue uses the calls a minute that a license allows, and what happens when the service
allows less than that, or when several workers share a token. Written by the commands below with
\`--record\`.

${originOf(records)}

The least time for n calls is 60 s × ⌊(n − 1) ÷ rate⌋: the limit holds in every 60 s, so the calls go out
a minute's worth at a time. **Lost**: never answered. **Twice**: sent again although answered or on the
wire. **Overtaken**: sent while an earlier call waited.

## At the rate that the service allows

Simulated time through the real queue; the server counts strictly, with 20 to 160 ms each way.

${steadyTable(all)}

Real time: one execution of the built node in n8n-core's engine, over HTTP to the sandbox, which is as
strict and whose journal is counted. Time: from the first call to the last one, in that journal. Out of order: results that are not in the place of their item.

${realTimeTable(all)}

With the result n8n shows: “${hint}”

What is missing to 100 % is the answer to each minute's last calls: a place is free again one minute
after the answer, since nobody but the service knows when within the call it counted it. No call was
refused, so the service has nothing to complain about while the configured limit is the true one.

## At another rate, found out by refusals

Simulated time; mean of ten runs that differ in latency and jitter, the worst of them in brackets. Settled:
from the change to the beginning of the first minute in which 85 % of the rate is used with at most one
refusal in twenty calls. Rate used and refusals: from minute 3 to minute 14 after the change.

${adaptationTable(all)}

A service that allows less than configured, or that several workers share, is used at 9 to 10 tenths
of its rate, by refusals alone and within two minutes; a Retry-After that tells the true time helps
most. The workers know nothing of each other: their shares level out over minutes and are not equal at
any moment.
`;
}
