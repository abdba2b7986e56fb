import type { Teardown } from '../scripts/demo/teardown.cts';
import type { N8nHost } from '../scripts/n8n/host.cts';
import type { Tarball } from '../scripts/package/tarball.cts';
import type { Say } from '../scripts/progress.cts';
import type { BenchN8n } from './inN8n/benchN8n.cts';
import type { Finding } from './results/finding.cts';

/** What every measurement may use. What takes time to start is started with its first use. */
export interface Bench {
	/** Whether the short form runs: fewer and smaller runs. */
	quick: boolean;
	say: Say;
	/** Takes how to end whatever a measurement starts. */
	teardown: Teardown;
	host: N8nHost;
	/** The package as it would be published. */
	tarball: Tarball;
	/** A real n8n with the package installed. */
	n8n(): Promise<BenchN8n>;
	/** A folder for files, which goes away at the end. */
	folder(): Promise<string>;
}

export interface Outcome {
	findings: Finding[];
	/** Markdown that explains the figures: tables of the times behind them, where the time goes. */
	details?: string;
}

/** One row of the table of measurements. */
export interface Measurement {
	/** For `--only`. */
	name: string;
	what: string;
	against: string;
	goal: string;
	/** Whether the short form measures it. */
	quick: boolean;
	measure(bench: Bench): Promise<Outcome>;
}
