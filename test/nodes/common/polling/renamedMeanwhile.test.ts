import type { ModelTrigger } from './modelWorkflow';
import { ModelWorkflow } from './modelWorkflow';

const DAY = 86_400_000;

const TRIGGER: ModelTrigger = {
	id: 'a',
	name: 'Old Name',
	moveOn: 'handedOver',
	isLong: true,
	readMs: 5,
	startOver: '',
	startsNow: false,
	isOff: false,
};

/** A published trigger with a long position, which n8n keeps under its name only. */
async function published(moveOn: ModelTrigger['moveOn'], readMs = TRIGGER.readMs) {
	const trigger = { ...TRIGGER, moveOn, readMs };
	const workflow = new ModelWorkflow([trigger]);
	workflow.append(trigger, 5);
	await workflow.publish();
	await workflow.settle();
	workflow.tick(trigger);
	await workflow.settle();
	return { workflow, trigger };
}

async function faultsInTheEnd(workflow: ModelWorkflow): Promise<string[]> {
	workflow.work = { ending: 'success', takes: 100 };
	await workflow.settle();
	await workflow.clock.advance(DAY);
	for (let poll = 0; poll < 8; poll++) {
		workflow.tick(workflow.triggers[0]);
		await workflow.settle();
	}
	return workflow.faults;
}

test('renamed while a poll with new entries is under way, it goes on after a restart', async () => {
	const { workflow, trigger } = await published('handedOver');
	workflow.append(trigger, 1);
	workflow.tick(trigger);
	trigger.name = 'New Name';
	await workflow.publish();
	await workflow.restart();
	expect(await faultsInTheEnd(workflow)).toEqual([]);
});

test('renamed while it pauses after failures, it goes on after a restart', async () => {
	const { workflow, trigger } = await published('succeeded');
	workflow.work = { ending: 'error', takes: 100 };
	workflow.append(trigger, 1);
	for (let poll = 0; poll < 3; poll++) {
		workflow.tick(trigger);
		await workflow.clock.advance(5000);
	}
	trigger.name = 'New Name';
	await workflow.publish();
	await workflow.clock.advance(10_000);
	await workflow.restart();
	expect(await faultsInTheEnd(workflow)).toEqual([]);
});

test('renamed while its execution runs for minutes, it goes on after a kill', async () => {
	const { workflow, trigger } = await published('finished');
	workflow.work = { ending: 'success', takes: 600_000 };
	workflow.append(trigger, 1);
	workflow.tick(trigger);
	await workflow.clock.advance(400_000);
	trigger.name = 'New Name';
	await workflow.publish();
	for (let poll = 0; poll < 3; poll++) {
		await workflow.clock.advance(60_000);
		workflow.tick(trigger);
	}
	await workflow.clock.advance(1000);
	await workflow.kill();
	expect(await faultsInTheEnd(workflow)).toEqual([]);
});

test.each(['finished', 'succeeded'] as const)(
	'renamed while a poll delivers batch after batch, which n8n then runs under the old name, it loses none (%s)',
	async (moveOn) => {
		const { workflow, trigger } = await published(moveOn);
		workflow.work = { ending: 'success', takes: 2000 };
		workflow.append(trigger, 40);
		workflow.tick(trigger);
		await workflow.clock.advance(5000);
		trigger.name = 'New Name';
		await workflow.publish();
		expect(await faultsInTheEnd(workflow)).toEqual([]);
	},
);

test.each(['finished', 'succeeded'] as const)(
	'after that, the poll starts nothing under the old name, which another node may have by now (%s)',
	async (moveOn) => {
		const { workflow, trigger } = await published(moveOn, 1000);
		workflow.work = { ending: 'success', takes: 100 };
		workflow.append(trigger, 40);
		workflow.tick(trigger);
		await workflow.clock.advance(2500);
		trigger.name = 'New Name';
		await workflow.publish();
		expect(await faultsInTheEnd(workflow)).toEqual([]);
		expect(workflow.executions.filter(({ state }) => state === 'ran nothing')).toEqual([]);
	},
);

test('deleted while a poll reads, it starts nothing at the one that has its name now', async () => {
	const workflow = new ModelWorkflow([
		{ ...TRIGGER, moveOn: 'finished', readMs: 4000 },
		{ ...TRIGGER, id: 'b', name: 'New Name', isOff: true },
	]);
	const [deleted, added] = workflow.triggers;
	await workflow.publish();
	await workflow.settle();
	workflow.append(deleted, 5);
	workflow.tick(deleted);
	await workflow.clock.advance(1000);
	deleted.isOff = true;
	Object.assign(added, { name: deleted.name, isOff: false });
	await workflow.publish();
	await workflow.settle();
	expect(workflow.executions).toEqual([]);
});

test('renamed while a poll reads a batch that failed before, it loses none', async () => {
	const { workflow, trigger } = await published('succeeded', 4000);
	workflow.work = { ending: 'error', takes: 100 };
	workflow.append(trigger, 3);
	workflow.tick(trigger);
	await workflow.clock.advance(10_000);
	workflow.work = { ending: 'success', takes: 100 };
	workflow.tick(trigger);
	await workflow.clock.advance(1000);
	trigger.name = 'New Name';
	await workflow.publish();
	expect(await faultsInTheEnd(workflow)).toEqual([]);
});

test('a workflow in which nothing runs after the trigger gets each batch twice at most', async () => {
	const { workflow, trigger } = await published('succeeded');
	workflow.work = { ending: 'success', takes: 100, endsAt: trigger.name };
	for (let round = 0; round < 5; round++) {
		workflow.append(trigger, 3);
		for (let poll = 0; poll < 4; poll++) {
			await workflow.clock.advance(60_000);
			workflow.tick(trigger);
			await workflow.settle();
		}
	}
	const [log] = workflow.logs.values();
	const came = workflow.executions.flatMap(({ ids }) => ids);
	expect(new Set(came)).toEqual(new Set(log));
	expect(came.length).toBeLessThanOrEqual(2 * log.length);
});

test('a workflow in which a connection leads nowhere works', async () => {
	const { workflow, trigger } = await published('succeeded');
	workflow.followers = () => {
		throw new TypeError("Cannot read properties of undefined (reading 'name')");
	};
	workflow.append(trigger, 3);
	expect(await faultsInTheEnd(workflow)).toEqual([]);
});
