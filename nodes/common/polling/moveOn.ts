/** When a batch counts as delivered, so that the trigger moves on. */
export type MoveOn = 'handedOver' | 'finished' | 'succeeded';

/**
 * How the execution of a batch ended. `unknown` is everything that may mean that nobody worked on it:
 * it never started, its worker died, n8n shut down, or n8n never told. So does `atTrigger`: nodes
 * follow the trigger, and none of them ran.
 */
export type Outcome =
	| 'success'
	| 'error'
	| 'waiting'
	| 'stopped'
	| 'timedOut'
	| 'atTrigger'
	| 'unknown';

/** An execution that waits is taken up again by n8n, and n8n tells of no later end. */
const ENDS: Record<Exclude<MoveOn, 'handedOver'>, readonly Outcome[]> = {
	finished: ['success', 'waiting', 'error', 'stopped', 'timedOut'],
	succeeded: ['success', 'waiting'],
};

export function isDelivered(outcome: Outcome, moveOn: MoveOn): boolean {
	return moveOn === 'handedOver' || ENDS[moveOn].includes(outcome);
}

/** What is read of n8n's record of an execution. */
interface EndedRun {
	status: string;
	finished?: boolean;
	waitTill?: Date | null;
	data?: {
		resultData?: {
			lastNodeExecuted?: string;
			error?: { message?: unknown };
			runData?: Record<string, unknown>;
		};
	};
}

/** Whether a node ran that is not among these: the workflow was another one by then. */
export function ranOthers(run: EndedRun | undefined, expected: string[]): boolean {
	const { runData = {}, lastNodeExecuted } = run?.data?.resultData ?? {};
	// In queue mode, n8n tells of no node but the last.
	const ran = [
		...Object.keys(runData),
		...(lastNodeExecuted === undefined ? [] : [lastNodeExecuted]),
	];
	return ran.some((name) => !expected.includes(name));
}

/** n8n before 2.8 says of each execution that has ended that it is running. */
function statusOf(run: EndedRun): string {
	if (run.status !== 'running') return run.status;
	if (run.data?.resultData?.error) return 'error';
	if (run.waitTill) return 'waiting';
	return run.finished ? 'success' : run.status;
}

/**
 * The outcome that n8n told. `undefined`: the execution did not start.
 * @param trigger Name of the trigger, if an end at it is to be told. Where it was renamed and published
 * meanwhile, n8n starts the batch at the old name in the new workflow, in which none follows.
 */
export function outcomeOfRun(run: EndedRun | undefined, trigger?: string): Outcome {
	const { lastNodeExecuted: last, error } = run?.data?.resultData ?? {};
	if (last !== undefined && last === trigger) return 'atTrigger';
	const status = run && statusOf(run);
	switch (status) {
		case 'success':
			// Of a queued one that Redis lost, n8n may tell the end of another: no node ran, and it did not finish.
			return last === undefined && run?.finished === false ? 'unknown' : status;
		case 'waiting':
			return status;
		case 'error':
			// Where a worker died, n8n tells an error too, but no node at which it happened.
			return last === undefined ? 'unknown' : 'error';
		case 'canceled':
			// Also of one that failed with this word in its error. Those of a stop say "cancelled".
			return last !== undefined && String(error?.message).includes('canceled')
				? 'error'
				: 'unknown';
		default:
			return 'unknown';
	}
}

/** The outcome where n8n tells an error instead: by the name of its class. */
export function outcomeOfError(error: unknown): Outcome {
	const { name } = (error ?? {}) as { name?: unknown };
	// Before 1.123, n8n does not tell one stopped by hand from one that has timed out.
	if (name === 'ManualExecutionCancelledError' || name === 'ExecutionCancelledError')
		return 'stopped';
	if (name === 'TimeoutExecutionCancelledError') return 'timedOut';
	return 'unknown';
}
