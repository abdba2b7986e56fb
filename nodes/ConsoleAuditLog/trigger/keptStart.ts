import type { IPollFunctions } from 'n8n-workflow';
import { parsedTime } from '../../../input/parsedTime';
import { freshState } from '../reading/pollState';
import type { PollState } from '../reading/pollState';
import { readStoredState } from '../reading/storedState';

/**
 * Where a trigger started, in the workflow's own static data, which n8n stores after an activation
 * also with durable cursors: for a restart before the first tick. Only the moment is kept, without
 * the lookback.
 */
export class KeptStart {
	private readonly key: string;
	private readonly workflowData: Record<string, unknown>;

	constructor(context: IPollFunctions) {
		this.key = `start of ${context.getNode().id}`;
		this.workflowData = context.getWorkflowStaticData('global');
	}

	keep({ scope, since }: PollState): void {
		this.workflowData[this.key] = freshState(scope, parsedTime(since));
	}

	read(scope: string): PollState | undefined {
		const read = readStoredState(this.workflowData[this.key], scope);
		return read.kind === 'state' ? read.state : undefined;
	}

	/** Touches nothing where there is nothing: n8n stores what was touched. */
	drop(): void {
		if (this.key in this.workflowData) delete this.workflowData[this.key];
	}
}
