import type { Environment } from '../fixtures/accounts.cts';
import { sandboxSecretMarker } from '../fixtures/accounts.cts';

export type ServiceName = 'scan' | 'console' | 'token';

/** One call as the sandbox saw it. Never holds a secret: `credential` is a label. */
export interface JournalEntry {
	/** Counted from 1 since the start or the last reset. */
	sequence: number;
	/** Milliseconds since the epoch, of the sandbox's clock. */
	atMs: number;
	service: ServiceName;
	environment: Environment | null;
	method: string;
	path: string;
	/** The query as it was sent, without the question mark. */
	query: string;
	/** null until the call is answered; stays null when the connection ended before. */
	status: number | null;
	/** Label of the token or account, `none`, or `unknown`. */
	credential: string;
	/** Number of the fault that changed the answer. */
	fault: number | null;
}

const secretWords = new RegExp(`${sandboxSecretMarker}[\\w.~-]*`, 'g');

/** Calls that are kept; older ones are dropped. */
const LIMIT = 20_000;

/** The last calls, oldest first, and their log lines: method, path and status, nothing else. */
export class Journal {
	private kept: JournalEntry[] = [];
	private sequence = 0;

	/** @param log Receives a line per answered call. */
	constructor(private readonly log?: (line: string) => void) {}

	/** Calls since the start or the last reset, those that were dropped included. */
	get total(): number {
		return this.sequence;
	}

	begin(
		atMs: number,
		service: ServiceName,
		environment: Environment | null,
		method: string,
		url: string,
	): JournalEntry {
		const shown = url.includes(sandboxSecretMarker) ? url.replace(secretWords, '[secret]') : url;
		const mark = shown.indexOf('?');
		const entry: JournalEntry = {
			sequence: ++this.sequence,
			atMs,
			service,
			environment,
			method,
			path: mark < 0 ? shown : shown.slice(0, mark),
			query: mark < 0 ? '' : shown.slice(mark + 1),
			status: null,
			credential: 'none',
			fault: null,
		};
		this.kept.push(entry);
		if (this.kept.length > 2 * LIMIT) this.kept = this.kept.slice(-LIMIT);
		return entry;
	}

	answered(entry: JournalEntry, status: number): void {
		entry.status = status;
		this.log?.(logLine(entry));
	}

	/** The kept calls after a sequence number, oldest first. */
	entries(afterSequence = 0): JournalEntry[] {
		return this.kept.slice(-LIMIT).filter((entry) => entry.sequence > afterSequence);
	}

	/** The log lines of the kept calls. */
	lines(): string[] {
		return this.entries().map(logLine);
	}

	clear(): void {
		this.kept = [];
		this.sequence = 0;
	}
}

function logLine(entry: JournalEntry): string {
	return `${entry.method} ${entry.path} ${entry.status ?? 'unanswered'}`;
}
