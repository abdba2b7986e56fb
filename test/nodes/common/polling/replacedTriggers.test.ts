import { at, longAt, readOf, SCOPE, Workflow } from './storedWorkflow';

test('a trigger that is pasted anew, under a name that was in use, goes on there', () => {
	const workflow = new Workflow();
	workflow.trigger('a', 'A').storeWithExecution(at(1));
	expect(readOf(workflow.trigger('new', 'A').stored(SCOPE))).toBe(1);
	const later = workflow.copy();
	workflow.trigger('a', 'A').storeWithExecution(at(2));
	later.trigger('b', 'B').stored(SCOPE);
	expect(readOf(later.copy().trigger('newer', 'A').stored(SCOPE))).toBe(2);
});

/** B was added after A was published: what n8n stores for A has nothing under the name of B. */
function addedLater(position: typeof at) {
	const published = new Workflow();
	published.trigger('a', 'A').storeWithExecution(at(1));
	const later = published.copy();
	later.trigger('b', 'B').storeWithExecution(position(2));
	published.trigger('a', 'A').storeWithExecution(at(3));
	const stored = published.copy();
	expect(stored.data).not.toHaveProperty('B');
	return stored;
}

test.each([at, longAt])(
	'a trigger that is pasted anew goes on where n8n stored last for another one: %#',
	(position) => {
		const stored = addedLater(position);
		expect(stored.trigger('new', 'B').stored('other console')).toEqual({ value: undefined });
		expect(stored.trigger('new', 'C').stored(SCOPE)).toEqual({ value: undefined });
		expect(readOf(stored.trigger('new', 'B').stored(SCOPE))).toBe(2);
	},
);

test('of several that were pasted anew under a name, the newest is continued', () => {
	const stored = addedLater(at);
	stored.data.global['position of b 3'] = {
		...(stored.data.global['position of b'] as object),
		revision: 1,
	};
	stored.trigger('b 2', 'B').storeWithExecution(at(5));
	delete stored.data.B;
	expect(readOf(stored.copy().trigger('new', 'B').stored(SCOPE))).toBe(5);
});

test.each([at, longAt])(
	'of the triggers that were replaced under a name, the last alone keeps its copy: %#',
	(position) => {
		let workflow = new Workflow();
		workflow.trigger('other', 'Other').storeWithExecution(position(1));
		workflow.trigger('renamed', 'A').storeWithExecution(position(1));
		workflow.trigger('renamed', 'Renamed').storeUnderNewName(position(1));
		for (let number = 1; number < 9; number++) {
			// As each deployment publishes it, while the other one stays as it was published.
			const deployed = workflow.copy();
			const store = deployed.trigger(`a ${number}`, 'A');
			if (number > 1) expect(readOf(store.stored(SCOPE))).toBe(number - 1);
			store.storeWithExecution(position(number));
			workflow.trigger('other', 'Other').storeWithExecution(position(number));
			workflow = number % 2 ? workflow : deployed;
		}
		const copies = ['other', 'renamed', 'a 7', 'a 8'].map((id) => `position of ${id}`);
		expect(Object.keys(workflow.data.global).sort()).toEqual(copies.sort());
		expect(readOf(workflow.copy().trigger('renamed', 'Renamed').stored(SCOPE))).toBe(1);
		expect(readOf(workflow.copy().trigger('a 7', 'Renamed while off').stored(SCOPE))).toBe(7);
	},
);

test('what stands under the name is of another trigger by now, which goes on elsewhere', () => {
	const workflow = new Workflow();
	workflow.trigger('a', 'A').storeWithExecution(at(1));
	workflow.trigger('b', 'B').storeWithExecution(at(9));
	const stored = workflow.copy();
	stored.data.global['position of a'] = {
		...(stored.data.global['position of a'] as object),
		name: 'B',
	};
	stored.data.global['position of b'] = {
		...(stored.data.global['position of b'] as object),
		name: 'A',
	};
	expect(readOf(stored.trigger('new', 'A').stored(SCOPE))).toBe(9);
});

const inScope = (scope: string, revision: number) => ({ position: { scope }, revision });

/** How n8n's data may look after the node of A: as that stored it, or as another trigger did. */
const storedBy = (workflow: Workflow, other: Workflow | undefined) => {
	if (other) other.trigger('other', 'Other').storeWithExecution(at(1));
	return (other ?? workflow).copy();
};

test.each(['itself', 'another trigger'])(
	'what a trigger left is never continued once one that replaced it has gone on elsewhere, stored by %s',
	(by) => {
		const first = new Workflow();
		first.trigger('other', 'Other').storeWithExecution(at(1));
		const other = by === 'itself' ? undefined : first;
		const old = first.copy();
		old.trigger('old', 'A').storeWithExecution(at(50));

		const startedOver = old.copy();
		startedOver.trigger('started over', 'A').storeWithExecution(inScope('other console', 51));
		const stored = storedBy(startedOver, other);
		expect(stored.trigger('new', 'A').stored(SCOPE)).toEqual({ value: undefined });

		const renamed = old.copy();
		renamed.trigger('renamed', 'A').storeWithExecution(at(51));
		renamed.trigger('renamed', 'Renamed').storeWithExecution(at(52));
		const afterRename = storedBy(renamed, other);
		expect(afterRename.trigger('new', 'A').stored(SCOPE)).toEqual({ value: undefined });
		expect(readOf(afterRename.trigger('renamed', 'Renamed').stored(SCOPE))).toBe(52);
	},
);

test('nor once it has started over without a batch', () => {
	const workflow = new Workflow();
	workflow.trigger('old', 'A').storeWithExecution(at(1));
	workflow.trigger('started over', 'A').store(inScope('other console', 2));
	expect(workflow.copy().trigger('new', 'A').stored(SCOPE)).toEqual({ value: undefined });
});

test('nor what n8n kept under the name for one that was replaced several times since', () => {
	const published = new Workflow();
	published.trigger('other', 'Other').storeWithExecution(at(1));
	published.trigger('a 1', 'A').storeWithExecution(at(1));
	let deployed = published;
	for (let number = 2; number < 5; number++) {
		deployed = deployed.copy();
		deployed.trigger(`a ${number}`, 'A').storeWithExecution(at(number));
	}
	deployed.trigger('a 4', 'Renamed').storeWithExecution(at(5));
	published.trigger('other', 'Other').storeWithExecution(at(2));
	const stored = published.copy();
	expect(stored.data.global).not.toHaveProperty(['position of a 1']);
	expect(readOf({ value: stored.data.A.pollState })).toBe(1);
	expect(stored.trigger('new', 'A').stored(SCOPE)).toEqual({ value: undefined });
});

test('a trigger that has yet to deliver anything is continued, also by several in a row', () => {
	const workflow = new Workflow();
	workflow.trigger('old', 'A').storeWithExecution(at(1));
	workflow.trigger('silent', 'A').store(at(2, 1));
	workflow.trigger('silent too', 'A').store(at(3, 1));
	expect(readOf(workflow.copy().trigger('new', 'A').stored(SCOPE))).toBe(3);
});

test('a trigger that was replaced and has come back is continued', () => {
	const workflow = new Workflow();
	workflow.trigger('back', 'A').storeWithExecution(at(1));
	workflow.trigger('between', 'A').storeWithExecution(at(2));
	workflow.trigger('back', 'A').store(at(3, 1));
	expect(readOf(workflow.copy().trigger('new', 'A').stored(SCOPE))).toBe(3);
});

test('a new trigger with durable cursors continues nothing that default mode has left', () => {
	const workflow = new Workflow();
	workflow.trigger('old', 'A').storeWithExecution(at(1));
	// n8n begins the cursor with it.
	expect(workflow.data.A.pollState).toBeDefined();
	const added = new Workflow({ global: workflow.data.global, A: { ...workflow.data.A } });
	expect(added.trigger('new', 'A', 36_000).stored(SCOPE)).toEqual({ value: undefined });
});

test('a trigger that reads something else continues nothing under the name of a deleted one', () => {
	const workflow = new Workflow();
	workflow.trigger('a', 'A').storeWithExecution(at(1));
	expect(workflow.trigger('new', 'A').stored('other console')).toEqual({ value: undefined });
});
