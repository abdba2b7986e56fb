import { enteredBoolean, enteredNumber, enteredOption } from '../../../../input/enteredValues';
import { isTool } from '../../../common/isTool';
import { TIMEOUT_LABEL } from '../fields/waitFields';
import type { ItemRun } from '../itemRun';

/** Defaults in a workflow, and where an AI agent calls the node: it does not wait for minutes. */
const IN_WORKFLOW = { seconds: 300, onTimeout: 'error' } as const;
const AS_TOOL = { seconds: 45, onTimeout: 'item' } as const;

export interface WaitSettings {
	seconds: number;
	onTimeout: 'error' | 'item';
}

/** `undefined`: it does not wait. @throws UserError for a value that is not usable. */
export function waitSettings(item: ItemRun): WaitSettings | undefined {
	if (!enteredBoolean(item.parameter('waitForVerdict', true), 'Wait for Verdict')) return undefined;
	const defaults = isTool(item.context) ? AS_TOOL : IN_WORKFLOW;
	const { waitTimeout, onTimeout } = {
		waitTimeout: defaults.seconds,
		onTimeout: defaults.onTimeout,
		...item.options,
	};
	return {
		seconds: enteredNumber(waitTimeout, TIMEOUT_LABEL, { least: 1 }),
		onTimeout: enteredOption(onTimeout, 'On Timeout', ['error', 'item']),
	};
}
