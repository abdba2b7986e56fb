import pWaitFor from 'p-wait-for';
import { duration } from './progress.cts';

export interface Patience {
	everyMs: number;
	withinMs: number;
}

/**
 * Waits until the condition holds.
 * @param what completes the sentence "Within 4 min …" when it never does: 'n8n did not become ready'
 * @throws Error with that sentence, or what the condition throws
 */
export async function waitUntil(
	what: string,
	condition: () => Promise<boolean>,
	{ everyMs, withinMs }: Patience,
): Promise<void> {
	try {
		await pWaitFor(condition, { interval: everyMs, timeout: withinMs });
	} catch (error) {
		const late = error instanceof Error && error.name === 'TimeoutError';
		throw late ? new Error(`Within ${duration(withinMs)} ${what}.`) : error;
	}
}
