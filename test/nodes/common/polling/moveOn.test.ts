import { outcomeOfError, outcomeOfRun } from '../../../../nodes/common/polling/moveOn';

const run = (status: string, more: object = {}, result: object = { lastNodeExecuted: 'End' }) => ({
	status,
	...more,
	data: { resultData: result },
});

const endedWith = (message: string) => ({ lastNodeExecuted: 'End', error: { message } });

const failed = endedWith('no');

it.each([
	['success', run('success', { finished: true })],
	['unknown', run('success', { finished: false }, {})],
	['waiting', run('waiting', { waitTill: new Date() })],
	['error', run('error', {}, failed)],
	['unknown', run('error', {}, { error: failed.error })],
	['unknown', run('canceled')],
	['error', run('canceled', {}, endedWith('The order was canceled'))],
	['unknown', run('canceled', {}, endedWith('The execution was cancelled manually'))],
	['unknown', run('canceled', {}, { error: { message: 'canceled' } })],
	['unknown', undefined],
])('%s is what n8n tells', (outcome, told) => {
	expect(outcomeOfRun(told)).toBe(outcome);
});

// Its status is the one that the execution had while it ran.
it.each([
	['success', run('running', { finished: true })],
	['waiting', run('running', { waitTill: new Date() })],
	['error', run('running', {}, failed)],
	['unknown', run('running', {}, { error: failed.error })],
	['unknown', run('running')],
	['unknown', run('running', { finished: false })],
])('%s is what n8n before 2.8 means', (outcome, told) => {
	expect(outcomeOfRun(told)).toBe(outcome);
});

it('an end at the trigger is told where it is asked for', () => {
	const told = run('success', {}, { lastNodeExecuted: 'Trigger' });
	expect(outcomeOfRun(told, 'Trigger')).toBe('atTrigger');
	expect(outcomeOfRun(told)).toBe('success');
});

it.each([
	['stopped', 'ManualExecutionCancelledError'],
	['timedOut', 'TimeoutExecutionCancelledError'],
	['stopped', 'ExecutionCancelledError'],
	['unknown', 'SystemShutdownExecutionCancelledError'],
])('%s is what an error of the class %s means', (outcome, name) => {
	expect(outcomeOfError(Object.assign(new Error('no'), { name }))).toBe(outcome);
});
