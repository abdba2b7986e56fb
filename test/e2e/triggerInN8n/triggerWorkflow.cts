import { randomUUID } from 'node:crypto';
import type { IDataObject, INode, INodeCredentialsDetails } from 'n8n-workflow';
import manifest from '../../../package.json';
import type { WorkflowFile } from '../../../scripts/n8n/workflows.cts';
import type { PolledTrigger } from './polledTrigger.cts';

export const TRIGGER_NAME = 'Trigger';
/** The last node, which does nothing. */
export const END_NAME = 'End';

/** How long the workflow works on what the trigger hands over, so that a kill can interrupt it. */
const WORK_SECONDS = 2;

/** How the trigger of a workflow is set up. */
export interface TriggerSetup {
	name: string;
	/** With scans, 'oldest' is an hour ago. */
	startFrom: 'now' | 'oldest';
	/** Seconds of each minute at which it polls. n8n allows any number, each once a minute. */
	pollSeconds: readonly number[];
	options?: IDataObject;
}

/** The trigger, a wait, and an end: an execution is under way for a moment that can be hit. */
export function triggerWorkflow(
	polled: PolledTrigger,
	setup: TriggerSetup & { credential: INodeCredentialsDetails },
): WorkflowFile {
	const trigger = workflowNode(TRIGGER_NAME, `${manifest.name}.${polled.type}`, 1, {
		pollTimes: {
			item: setup.pollSeconds.map((second) => ({
				mode: 'custom',
				cronExpression: `${second} * * * * *`,
			})),
		},
		...polled.parameters(setup.startFrom),
		options: { ...setup.options } as INode['parameters'],
	});
	trigger.credentials = { [polled.credentialType]: setup.credential };
	const work = workflowNode('Work', 'n8n-nodes-base.wait', 1.1, {
		resume: 'timeInterval',
		amount: WORK_SECONDS,
		unit: 'seconds',
	});
	const end = workflowNode(END_NAME, 'n8n-nodes-base.noOp', 1, {});
	const leadsTo = (name: string) => ({ main: [[{ node: name, type: 'main' as const, index: 0 }]] });
	return {
		name: setup.name,
		nodes: [trigger, work, end],
		connections: { [trigger.name]: leadsTo(work.name), [work.name]: leadsTo(end.name) },
		settings: { executionOrder: 'v1' },
	};
}

/** A node as n8n exports it; where it stands on the canvas does not matter. */
export function workflowNode(
	name: string,
	type: string,
	typeVersion: number,
	parameters: INode['parameters'],
): INode {
	return { id: randomUUID(), name, type, typeVersion, position: [0, 0], parameters };
}
