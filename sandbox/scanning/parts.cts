import type { Environment } from '../fixtures/accounts.cts';
import type { Surroundings } from '../wire/server.cts';
import type { Arrivals } from './arrivals.cts';
import type { Callbacks } from './callbacks.cts';
import type { Directory } from './directory.cts';
import type { RateLimit } from './rateLimit.cts';
import type { ScanStore } from './scanStore.cts';

/** What the operations of one environment work on. A reset puts new parts into the same object. */
export interface ScanningParts extends Surroundings {
	environment: Environment;
	directory: Directory;
	scans: ScanStore;
	arrivals: Arrivals;
	rateLimit: RateLimit;
	callbacks: Callbacks;
}
