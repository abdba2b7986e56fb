import { UserError } from 'n8n-workflow';

/**
 * What a Get Many with a limit returns at most, in bytes as `Answer` counts them. n8n takes several times as
 * much, and time, while it stores the execution, and a service may fill each of its answers.
 */
const LARGEST_RESULT = 64 * 1024 * 1024;

/** As much for each item, where the limit is high. */
const BYTES_OF_AN_ITEM = 8 * 1024;

/**
 * @param limit Infinity: all is returned, whatever it takes.
 * @param share How much of it, where that becomes many long texts.
 */
export function largestResult(limit: number, share = 1): number {
	return Math.max(LARGEST_RESULT, limit * BYTES_OF_AN_ITEM) * share;
}

export function tooLargeResult(what: 'entries' | 'scans', limit: number, share = 1): UserError {
	const megabytes = Math.round(largestResult(limit, share) / 1024 / 1024);
	return new UserError(`${limit} ${what} would take more than ${megabytes} MB`, {
		description:
			share < 1
				? `They would become very many texts: raise 'Max Text Size (MB)'. Otherwise, set 'Limit' lower, and read the other ${what} in a further call.`
				: `The answers are unusually large. Set 'Limit' lower, and read the other ${what} in a further call.`,
	});
}
