import { Writable } from 'node:stream';
import type { ActiveWorkflowTriggers } from 'n8n-core';
import { onePerProcess } from './outsideJest.cts';

/** n8n's logger. */
export type Logger = ConstructorParameters<typeof ActiveWorkflowTriggers>[0];

/** One line of n8n's log, with what was logged beside the text. */
export interface LogEntry {
	level: string;
	message: string;
	metadata: Record<string, unknown>;
}

/** What n8n and its nodes logged, at every level. */
export interface CapturedLog {
	/** The entries so far; grows until `stop`. */
	entries: LogEntry[];
	/** Everything in one text, for the question whether something is in it. */
	text(): string;
	stop(): void;
}

type InternalLogger = ReturnType<Logger['getInternalLogger']>;

type Listener = (entry: LogEntry) => void;

const listeners = (): Set<Listener> => onePerProcess('log-listeners', () => new Set<Listener>());

/** Makes n8n's own logger (and each logger that n8n derives from it) write to the captured logs. */
export function attachLog(logger: Logger): void {
	const transport = new Writable({
		objectMode: true,
		write(info: Record<string, unknown>, _encoding, done) {
			const { level, message, ...metadata } = info;
			const entry = { level: String(level), message: String(message), metadata };
			for (const listener of listeners()) listener(entry);
			done();
		},
	});
	// winston takes an object-mode stream with a `log` method as a transport.
	Object.assign(transport, { log: (_info: unknown, next: () => void) => next() });
	logger.getInternalLogger().add(transport as unknown as Parameters<InternalLogger['add']>[0]);
}

/** Starts to record n8n's log. Runs of one process share that log: entries of all of them are in it. */
export function captureLog(): CapturedLog {
	const entries: LogEntry[] = [];
	const listener: Listener = (entry) => entries.push(entry);
	listeners().add(listener);
	return {
		entries,
		text: () =>
			entries
				.map((entry) => `${entry.level} ${entry.message} ${printed(entry.metadata)}`)
				.join('\n'),
		stop: () => listeners().delete(listener),
	};
}

function printed(metadata: Record<string, unknown>): string {
	const seen = new Set<unknown>();
	return JSON.stringify(metadata, (_key, value: unknown) => {
		if (typeof value !== 'object' || value === null) return value;
		if (seen.has(value)) return '[again]';
		seen.add(value);
		return value;
	});
}
