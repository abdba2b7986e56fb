import type { ModelTrigger } from './modelWorkflow';
import { ModelWorkflow } from './modelWorkflow';

const trigger = (id: string, more: Partial<ModelTrigger> = {}): ModelTrigger => ({
	id,
	name: `Trigger ${id}`,
	moveOn: 'handedOver',
	isLong: false,
	readMs: 5,
	startOver: '',
	startsNow: false,
	isOff: false,
	...more,
});

async function settleAndPoll(workflow: ModelWorkflow): Promise<void> {
	await workflow.settle();
	for (let poll = 0; poll < 5; poll++) {
		for (const one of workflow.triggers) workflow.tick(one);
		await workflow.settle();
	}
}

/** The execution of its first entry takes long. */
async function publishLong(workflow: ModelWorkflow, one: ModelTrigger): Promise<void> {
	workflow.append(one, 1);
	workflow.work = { ending: 'success', takes: 15_000 };
	await workflow.publish();
	workflow.work = { ending: 'success', takes: 100 };
}

describe.each(['kill', 'restart'] as const)(
	'an execution that ends after a publication, and a %s',
	(end) => {
		test.each(['handedOver', 'finished'] as const)(
			'bring nothing twice that another trigger (%s) delivered meanwhile',
			async (moveOn) => {
				const workflow = new ModelWorkflow([
					trigger('a', { moveOn: 'finished' }),
					trigger('b', { moveOn }),
				]);
				const [a, b] = workflow.triggers;
				await publishLong(workflow, a);
				await workflow.unpublish();
				await workflow.publish();
				workflow.append(b, 2);
				for (let poll = 0; poll < 2; poll++) {
					workflow.tick(b);
					await workflow.clock.advance(1000);
				}
				await workflow.clock.advance(15_000);
				await workflow[end]();
				await settleAndPoll(workflow);
				expect(workflow.faults).toEqual([]);
			},
		);

		test.each(['handedOver', 'finished'] as const)(
			'lose nothing of another trigger (%s) that was added meanwhile',
			async (moveOn) => {
				const workflow = new ModelWorkflow([
					trigger('a', { moveOn: 'finished' }),
					trigger('b', { moveOn, startsNow: true, isOff: true }),
				]);
				const [a, b] = workflow.triggers;
				await publishLong(workflow, a);
				await workflow.unpublish();
				b.isOff = false;
				await workflow.publish();
				workflow.tick(b);
				await workflow.clock.advance(15_000);
				workflow.append(b, 2);
				await workflow[end]();
				await settleAndPoll(workflow);
				expect(workflow.faults).toEqual([]);
			},
		);
	},
);

test('an execution that ends after its trigger was renamed leaves a long position under the new name', async () => {
	const workflow = new ModelWorkflow([trigger('a', { moveOn: 'finished', isLong: true })]);
	const [a] = workflow.triggers;
	workflow.append(a, 1);
	await workflow.publish();
	await settleAndPoll(workflow);
	workflow.append(a, 1);
	workflow.work = { ending: 'success', takes: 15_000 };
	await workflow.restart();
	a.name = 'New name';
	await workflow.publish();
	await workflow.clock.advance(15_000);
	await workflow.restart();
	await settleAndPoll(workflow);
	expect(workflow.faults).toEqual([]);
});

test('a poll that ends after its trigger was renamed loses nothing of one that was added with that', async () => {
	const workflow = new ModelWorkflow([
		trigger('a', { moveOn: 'finished' }),
		trigger('b', { startsNow: true, isOff: true }),
	]);
	const [a, b] = workflow.triggers;
	await workflow.publish();
	await workflow.settle();
	workflow.append(a, 1);
	workflow.work = { ending: 'success', takes: 100_000 };
	workflow.tick(a);
	await workflow.clock.advance(5000);
	workflow.work = { ending: 'success', takes: 100 };
	b.isOff = false;
	a.name = 'New name';
	await workflow.publish();
	workflow.tick(b);
	await workflow.clock.advance(100_000);
	workflow.append(b, 2);
	await workflow.restart();
	await settleAndPoll(workflow);
	expect(workflow.faults).toEqual([]);
});

test('an execution that ends after another trigger has replaced its own stores nothing', async () => {
	const workflow = new ModelWorkflow([
		trigger('a', { moveOn: 'finished' }),
		trigger('b', { moveOn: 'finished', isOff: true }),
	]);
	const [a, b] = workflow.triggers;
	await workflow.publish();
	workflow.append(a, 1);
	workflow.work = { ending: 'success', takes: 100_000 };
	workflow.tick(a);
	await workflow.clock.advance(5000);
	a.isOff = true;
	Object.assign(b, { name: a.name, isOff: false });
	await workflow.publish();
	const { disk } = workflow;
	await workflow.clock.advance(200_000);
	expect(workflow.executions.map(({ state }) => state)).toContain('success');
	expect(workflow.disk).toBe(disk);
});

test('what a trigger delivers while another is renamed during a poll comes once', async () => {
	const workflow = new ModelWorkflow([
		trigger('a', { readMs: 2000 }),
		trigger('b', { readMs: 2000 }),
	]);
	const [a, b] = workflow.triggers;
	await workflow.publish();
	workflow.moveOnWhen(b, 'succeeded');
	await workflow.publish();
	workflow.append(b, 1);
	workflow.tick(a);
	workflow.tick(b);
	workflow.append(a, 1);
	workflow.tick(a);
	a.name = 'New name';
	await workflow.publish();
	await workflow.kill();
	a.readMs++;
	await workflow.publish();
	await settleAndPoll(workflow);
	expect(workflow.faults).toEqual([]);
});
