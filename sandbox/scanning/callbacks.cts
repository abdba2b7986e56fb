import type { Clock } from '../clock.cts';
import type { Scan } from './scanStore.cts';
import { isFinished } from './scanStore.cts';
import { evidenceOf } from './scanRecord.cts';

/** What became of a callback. Neither the address's query nor any header is kept. */
export interface Delivery {
	fullScanId: string;
	url: string;
	/** HTTP status of the receiver; null when there was no answer. */
	status: number | null;
	error: string | null;
}

const loopbackHosts = new Set(['127.0.0.1', 'localhost', '[::1]']);
const timeoutMs = 5_000;

/** Tells receivers on this computer that their scan has finished, once each. Failures are recorded. */
export class Callbacks {
	readonly deliveries: Delivery[] = [];
	private waiting: Scan[] = [];
	private readonly closed = new AbortController();

	constructor(private readonly clock: Clock) {}

	/** Delivers by itself when the scan's time is over, if the clock can sleep. */
	schedule(scan: Scan): void {
		if (!scan.callback?.url) return;
		this.waiting.push(scan);
		if (scan.finishesAtMs === null || !this.clock.sleep) return;
		const wait = scan.finishesAtMs - this.clock.now();
		void this.clock.sleep(wait, this.closed.signal).then(async () => await this.flush());
	}

	/** Delivers what is due by now and waits for the answers, at most 5 real seconds each. */
	async flush(): Promise<void> {
		if (this.closed.signal.aborted) return;
		const now = this.clock.now();
		const due = this.waiting.filter((scan) => isFinished(scan, now));
		this.waiting = this.waiting.filter((scan) => !isFinished(scan, now));
		await Promise.all(due.map(async (scan) => await this.deliver(scan)));
	}

	close(): void {
		this.closed.abort();
	}

	private async deliver(scan: Scan): Promise<void> {
		if (!scan.callback?.url) return;
		const target = new URL(scan.callback.url);
		const delivery: Delivery = {
			fullScanId: scan.fullScanId,
			url: target.origin + target.pathname,
			status: null,
			error: null,
		};
		this.deliveries.push(delivery);
		if (!loopbackHosts.has(target.hostname)) {
			delivery.error = 'The sandbox only calls receivers on this computer.';
			return;
		}
		try {
			const answer = await fetch(target, {
				method: 'POST',
				headers: { ...scan.callback.headers, 'content-type': 'application/json' },
				body: JSON.stringify(callbackBody(scan)),
				redirect: 'manual',
				signal: AbortSignal.any([this.closed.signal, AbortSignal.timeout(timeoutMs)]),
			});
			delivery.status = answer.status;
			await answer.body?.cancel();
		} catch (error) {
			delivery.error = error instanceof Error ? error.name : 'unknown';
		}
	}
}

/** The body that public material shows; `scan_id` is a string in its sample. */
function callbackBody(scan: Scan) {
	return {
		scan_id: String(scan.submittedId),
		name: scan.name,
		type: scan.type,
		path: scan.path,
		verdict: scan.verdict,
		evidence: evidenceOf(scan),
		params: scan.callback?.params ?? null,
	};
}
