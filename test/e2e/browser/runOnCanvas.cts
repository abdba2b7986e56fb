import type { INodeExecutionData } from 'n8n-workflow';
import {
	failureOf,
	finishedExecution,
	recentExecutions,
	type Execution,
} from '../../../scripts/n8n/executions.cts';
import { waitUntil } from '../../../scripts/waitUntil.cts';
import type { User } from './user.cts';

const RUNS_SOON = { everyMs: 250, withinMs: 20_000 };
const ENDS_WITHIN_MS = 60_000;

/** Presses *Execute workflow* on the open canvas, and waits until it has ended, however it ended. */
export async function runOnCanvas({ editor, setting }: User): Promise<Execution> {
	const { session } = setting.n8n;
	const id = /\/workflow\/([^/?]+)/.exec(editor.page.url())?.[1] ?? '';
	const before = (await recentExecutions(session, id)).length;
	await editor.at('execute-workflow-button').click();
	let started: string | undefined;
	const hasStarted = async () => {
		const all = await recentExecutions(session, id);
		if (all.length > before) started = all.at(-1)?.id;
		return started !== undefined;
	};
	await waitUntil('n8n did not run the workflow', hasStarted, RUNS_SOON);
	return await finishedExecution(session, started!, ENDS_WITHIN_MS);
}

/** The items that left the If, by its branches. */
export function branchesOf(execution: Execution): Record<'true' | 'false', INodeExecutionData[]> {
	const failure = failureOf(execution);
	if (failure) throw new Error(`The run has failed. ${failure}`);
	const [run] = execution.data.resultData.runData.If ?? [];
	const [passed, held] = run?.data?.main ?? [];
	return { true: passed ?? [], false: held ?? [] };
}

/** @returns the only item of the run, which must have gone that way */
export function onlyItemOn(branch: 'true' | 'false', execution: Execution): INodeExecutionData {
	const went = branchesOf(execution);
	const [item] = went[branch];
	if (item && went.true.length + went.false.length === 1) return item;
	throw new Error(`${went.true.length} went to true and ${went.false.length} to false.`);
}
