import { sleep } from 'n8n-workflow';

/** Time is passed in, so that a test sets it and never sleeps. */
export interface Clock {
	/** Milliseconds since the epoch. */
	now(): number;
	/** Resolves after `ms` milliseconds, earlier when `signal` aborts; it never rejects. */
	sleep(ms: number, signal?: AbortSignal): Promise<void>;
}
