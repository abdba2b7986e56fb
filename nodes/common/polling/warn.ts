import type { IPollFunctions } from 'n8n-workflow';

/** Writes into n8n's log, for a user. */
export function warn(context: IPollFunctions, text: string): void {
	context.logger.warn(`${context.getNode().name}: ${text}`);
}
