import type { IPollFunctions } from 'n8n-workflow';
import type { Clock } from '../../../transport/clock';
import { contextNode } from '../../../transport/contextNode';
import { triggerKey } from './pollHost';

/** By `triggerKey`, the name that a trigger had at its latest poll. */
const names = new Map<string, string>();

/** By workflow and name, the trigger that polled under that name last. */
const bearers = new Map<string, string>();

function bearerKey(context: IPollFunctions): string {
	return JSON.stringify([context.getWorkflow().id, contextNode(context).name]);
}

/** Notes whose name it is that a poll has now. */
export function noteName(context: IPollFunctions): void {
	const key = triggerKey(context);
	names.set(key, contextNode(context).name);
	bearers.set(bearerKey(context), key);
}

/**
 * Whether the trigger was published under another name since this poll began, or another node under
 * its name: n8n would start an execution of this poll at whatever node has that name now.
 */
export function hasLostItsName(context: IPollFunctions): boolean {
	return names.get(triggerKey(context)) !== contextNode(context).name || isNameTaken(context);
}

/** Whether another node polls under its name. */
export function isNameTaken(context: IPollFunctions): boolean {
	return bearers.get(bearerKey(context)) !== triggerKey(context);
}

/** So long after publishing, in milliseconds, the first poll under a new name has begun. */
const NEW_NAME_MS = 5000;

/** The same in a moment: n8n runs executions under a new name somewhat earlier than the first poll. */
export async function isLosingItsName(context: IPollFunctions, clock: Clock): Promise<boolean> {
	if (!hasLostItsName(context)) await clock.sleep(NEW_NAME_MS);
	return hasLostItsName(context);
}
