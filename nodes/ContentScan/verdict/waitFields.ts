import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { enteredBoolean, enteredNumber, enteredOption } from '../../../input/enteredValues';
import type { ItemRun } from '../actions/itemRun';

export const TIMEOUT_LABEL = 'Wait Timeout (Seconds)';

/** Defaults in a workflow, and where an AI agent calls the node: it does not wait for minutes. */
const IN_WORKFLOW = { seconds: 300, onTimeout: 'error' } as const;
const AS_TOOL = { seconds: 45, onTimeout: 'item' } as const;

export function waitField(show: Record<string, string[]>): INodeProperties {
	return {
		displayName: 'Wait for Verdict',
		name: 'waitForVerdict',
		type: 'boolean',
		default: true,
		description:
			'Whether to wait until the scan has finished and return its verdict. When off, the item only says that the scan was submitted.',
		// An If into which "clean" is dragged asks for "is equal to false", which lets the unknown pass.
		hint: 'To use only what is clean, add an If node: drag in the field "clean" and choose Boolean, "is true"',
		displayOptions: { show },
	};
}

export const waitOptions: INodeProperties[] = [
	{
		displayName: 'On Timeout',
		name: 'onTimeout',
		type: 'options',
		options: [
			{
				name: 'Fail',
				value: 'error',
				description:
					'Finish the other items, then fail with an error that names all scan IDs and verdicts that are known',
			},
			{
				name: 'Return the Item',
				value: 'item',
				description:
					'Return the item with status "pending", without a verdict, and with "clean" empty (null)',
			},
		],
		default: 'error',
		description:
			'What to do if the scan is not finished when the wait times out. Default: Fail; where an AI agent uses the node as a tool, Return the Item.',
	},
	{
		displayName: TIMEOUT_LABEL,
		name: 'waitTimeout',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 300,
		description:
			'How long to wait for the verdict after the service has accepted the scan. Default: 300; where an AI agent uses the node as a tool, 45.',
	},
];

export interface WaitSettings {
	seconds: number;
	onTimeout: 'error' | 'item';
}

/** `undefined`: it does not wait. @throws UserError for a value that is not usable. */
export function waitSettings(item: ItemRun): WaitSettings | undefined {
	if (!enteredBoolean(item.parameter('waitForVerdict', true), 'Wait for Verdict')) return undefined;
	const defaults = isTool(item.context) ? AS_TOOL : IN_WORKFLOW;
	const { waitTimeout = defaults.seconds, onTimeout = defaults.onTimeout } = item.options;
	return {
		seconds: enteredNumber(waitTimeout, TIMEOUT_LABEL, { least: 1 }),
		onTimeout: enteredOption(onTimeout, 'On Timeout', ['error', 'item']),
	};
}

/** n8n before 2.x tells it by the context, newer versions by the type that a tool gets. */
function isTool(context: IExecuteFunctions): boolean {
	const { isToolExecution } = context as Partial<IExecuteFunctions>;
	return isToolExecution?.call(context) === true || context.getNode().type.endsWith('Tool');
}
