import type { Bench, Outcome } from '../measurement.cts';
import { realTime } from '../queue/realTime.cts';
import { steady } from '../queue/simulations.cts';
import { valueFinding, type Finding } from '../results/finding.cts';

const SIMULATED = { scans: 1_000, perMinute: 100 };
const REAL = { scans: 400, perMinute: 180 };
/** Of the least time that the limit allows. */
const MOST = 1.02;

/** How close scans come to the least time that the licensed rate allows. */
export async function measureLicensedRate(bench: Bench): Promise<Outcome> {
	const simulated = await steady(SIMULATED.scans, SIMULATED.perMinute);
	const title = `${SIMULATED.scans} scans at ${SIMULATED.perMinute} a minute, simulated time`;
	const findings = [
		...timeFindings(title, simulated),
		...noneOf(title, { '429s': simulated.refused, lost: simulated.lost, twice: simulated.twice }),
	];
	if (!bench.quick) {
		const real = await realTime(REAL.scans, REAL.perMinute, bench.say);
		const name = `${REAL.scans} scans at ${REAL.perMinute} a minute, real time`;
		const { refused, failed, lost, twice } = real;
		findings.push(...timeFindings(name, real));
		findings.push(...noneOf(name, { '429s': refused, failed, lost, twice }));
	}
	return { findings, details: HOW };
}

function timeFindings(
	title: string,
	{ seconds, leastSeconds }: { seconds: number; leastSeconds: number },
): Finding[] {
	const subject = `${title}: ${seconds.toFixed(1)} s, where ${leastSeconds} s is the least`;
	return [valueFinding(subject, seconds / leastSeconds, '×', { atMost: MOST, stable: true })];
}

function noneOf(title: string, counts: Record<string, number>): Finding[] {
	return Object.entries(counts).map(([what, count]) =>
		valueFinding(`${title}: ${what}`, count, '', { atMost: 0, stable: true }),
	);
}

const HOW = `The least time for n calls is 60 s × ⌊(n − 1) ÷ rate⌋. Simulated: the real queue on a clock that is
moved, against a server that counts strictly. Real: one execution in n8n-core's engine over HTTP to
the sandbox, which is as strict; from the first call to the last in its journal.
\`npm run bench:queue\` measures more of it.`;
