import { runMutation } from '../common/mutation';
import type { Operation } from '../itemRun';

/** Releases an email from quarantine. Never repeated on its own, although it is a GET. */
export const releaseEmail: Operation = async (item) =>
	await runMutation(item, 'releaseEmail', { scanId: item.scanId });
