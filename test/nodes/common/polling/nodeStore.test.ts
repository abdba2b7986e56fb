import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import type { StoredProgress } from '../../../../nodes/common/polling/nodeStore';
import { NodeStore } from '../../../../nodes/common/polling/nodeStore';
import { unpackProgress } from '../../../../nodes/common/polling/progress';

const SCOPE = 'console';

/** As n8n watches what is a part of the workflow's data. */
function watched(data: IDataObject): IDataObject {
	return Object.defineProperty(data, '__dataChanged', { value: false, configurable: true });
}

/** The static data of a workflow in n8n's default mode, which keeps a node's under its name. */
class Workflow {
	private static count = 0;

	constructor(
		readonly data: Record<string, IDataObject> = {},
		private readonly id = `workflow ${Workflow.count++}`,
	) {}

	/** As n8n reads it from its database, for triggers that are published later than the others. */
	copy(): Workflow {
		return new Workflow(JSON.parse(JSON.stringify(this.data)) as typeof this.data, this.id);
	}

	trigger(id: string, name: string, budgetMs = 300_000): NodeStore {
		return new NodeStore({
			getNode: () => ({ id, name }),
			getWorkflow: () => ({ id: this.id }),
			getPollBudgetMs: () => budgetMs,
			getWorkflowStaticData: (type: string) => {
				const data = (this.data[type === 'node' ? name : type] ??= {});
				return budgetMs < 300_000 ? data : watched(data);
			},
		} as unknown as IPollFunctions);
	}
}

const at = (read: number, revision = read) => ({ position: { scope: SCOPE, read }, revision });

const longAt = (read: number) => {
	const position = { scope: SCOPE, read, seen: 'x'.repeat(10_000) };
	return { position, revision: read };
};

/** Two triggers, of which B was published again: n8n gives it other data, and each emits in turn. */
function publishedApart(position: typeof at) {
	const published = new Workflow();
	published.trigger('a', 'A').storeWithExecution(position(1));
	published.trigger('b', 'B').storeWithExecution(position(1));
	const later = published.copy();
	later.trigger('b', 'B').storeWithExecution(position(2));
	published.trigger('a', 'A').storeWithExecution(position(3));
	later.trigger('b', 'B').storeWithExecution(position(4));
	return { published, later };
}

const readOf = ({ value }: StoredProgress) => (value as { read?: number } | undefined)?.read;

test('a new name finds what was stored with the last execution', () => {
	const workflow = new Workflow();
	workflow.trigger('a', 'Old').storeWithExecution(at(1));
	expect(readOf(workflow.trigger('a', 'New').stored(SCOPE))).toBe(1);
	workflow.trigger('a', 'New').storeWithExecution(at(2));
	expect(readOf(workflow.trigger('a', 'Old').stored(SCOPE))).toBe(2);
});

test('two triggers that swap their names keep what is theirs', () => {
	const workflow = new Workflow();
	workflow.trigger('a', 'A').storeWithExecution(at(1));
	workflow.trigger('b', 'B').storeWithExecution(at(9));
	expect(readOf(workflow.trigger('a', 'B').stored(SCOPE))).toBe(1);
	expect(readOf(workflow.trigger('b', 'A').stored(SCOPE))).toBe(9);
});

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

test.each([{ scope: SCOPE }, { scope: SCOPE, revision: 'x' }, 'text', 7, null])(
	'a copy that something else wrote, %j, is none',
	(copy) => {
		const workflow = new Workflow();
		workflow.trigger('a', 'A').store(at(1));
		workflow.data.global['position of a'] = copy;
		expect(readOf(workflow.trigger('a', 'A').stored(SCOPE))).toBe(1);
		expect(workflow.trigger('a', 'New').stored(SCOPE)).toEqual({ value: undefined });
	},
);

test('a count that is damaged, and could not be raised, begins anew', () => {
	const damaged = { scope: SCOPE, delivery: { revision: Number.MAX_SAFE_INTEGER } };
	expect(unpackProgress(damaged)).toMatchObject({ revision: 0 });
});

test('what a silent poll has stored goes before the copy', () => {
	const workflow = new Workflow();
	workflow.trigger('a', 'A').storeWithExecution(at(1, 5));
	workflow.trigger('a', 'A').store(at(2, 5));
	expect(readOf(workflow.trigger('a', 'A').stored(SCOPE))).toBe(2);
});

test('a copy of another scope is dropped, so that the trigger never goes back to it', () => {
	const workflow = new Workflow();
	workflow.trigger('a', 'A').storeWithExecution(at(1));
	workflow.trigger('a', 'A').dropCopy('other console');
	expect(workflow.trigger('a', 'B').stored(SCOPE)).toEqual({});
});

test('with durable cursors the copy goes once the node has something of its own', () => {
	const workflow = new Workflow();
	const durable = () => workflow.trigger('a', 'A', 36_000);
	workflow.trigger('a', 'A').storeWithExecution(at(1));
	workflow.data.A = {};
	durable().dropCopy(SCOPE);
	expect(readOf(durable().stored(SCOPE))).toBe(1);
	durable().store(at(2));
	durable().dropCopy(SCOPE);
	expect(workflow.data.global['position of a']).not.toHaveProperty('progress');
	expect(readOf(durable().stored(SCOPE))).toBe(2);
	// n8n begins the cursor of a new trigger with what default mode has left under its name.
	workflow.data['Freed Name'] = workflow.data.A;
	const added = workflow.trigger('new', 'Freed Name', 36_000);
	expect(added.stored(SCOPE)).toEqual({ value: undefined });
	const pasted = workflow.trigger('pasted', 'A', 36_000);
	expect(pasted.stored(SCOPE)).toEqual({ value: undefined });
});

test('with durable cursors a copy that is newer than what n8n began with is not dropped', () => {
	const { later } = publishedApart(at);
	const durable = later.copy().trigger('a', 'A', 36_000);
	durable.dropCopy(SCOPE);
	expect(readOf(durable.stored(SCOPE))).toBe(3);
});

test('a start is newer than whatever is stored, also of another scope', () => {
	const workflow = new Workflow();
	expect(workflow.trigger('a', 'A').lastRevision).toBe(-1);
	workflow.trigger('a', 'A').storeWithExecution(at(1, 5));
	expect(workflow.trigger('a', 'A').lastRevision).toBe(5);
	workflow.data.A = {};
	expect(workflow.trigger('a', 'Renamed').lastRevision).toBe(5);
});

test('of a long position only the name is noted under which n8n keeps it', () => {
	const workflow = new Workflow();
	const position = { scope: SCOPE, read: 1, seen: 'x'.repeat(10_000) };
	workflow.trigger('a', 'Old').storeWithExecution({ position, revision: 3 });
	expect(JSON.stringify(workflow.data.global).length).toBeLessThan(200);
	expect(readOf(workflow.trigger('a', 'Old').stored(SCOPE))).toBe(1);
	expect(workflow.trigger('a', 'New').stored(SCOPE)).toEqual({ formerName: 'Old' });
	workflow.data.Old = {};
	expect(workflow.trigger('a', 'Old').stored(SCOPE)).toEqual({ value: undefined });
});

test('a new trigger does not take over the place of one that goes on under another name', () => {
	const workflow = new Workflow();
	workflow.trigger('a', 'A').storeWithExecution(at(1));
	workflow.trigger('a', 'Renamed').storeUnderNewName(at(1));
	expect(workflow.trigger('new', 'A').stored(SCOPE)).toEqual({ value: undefined });
	expect(readOf(workflow.copy().trigger('a', 'Renamed').stored(SCOPE))).toBe(1);
});

test('a long position whose name another trigger takes over is kept', () => {
	const workflow = new Workflow();
	workflow.trigger('a', 'A').storeWithExecution(longAt(1));
	workflow.trigger('b', 'A').store(at(9));
	expect(readOf(workflow.trigger('a', 'Renamed').stored(SCOPE))).toBe(1);
	expect(readOf(workflow.trigger('a', 'A').stored(SCOPE))).toBe(1);
});

test.each([at, longAt])(
	'what n8n stores for a trigger has where those are that were not published with it: %#',
	(position) => {
		const { published, later } = publishedApart(position);
		const byB = later.copy();
		published.trigger('a', 'A').storeWithExecution(position(5));
		const byA = published.copy();
		expect(readOf(byB.trigger('a', 'A').stored(SCOPE))).toBe(3);
		expect(readOf(byB.trigger('b', 'B').stored(SCOPE))).toBe(4);
		expect(readOf(byA.trigger('a', 'A').stored(SCOPE))).toBe(5);
		expect(readOf(byA.trigger('b', 'B').stored(SCOPE))).toBe(4);
	},
);

test('what one stores while another is being published stands in the data of that one too', () => {
	const published = new Workflow();
	published.trigger('a', 'A').storeWithExecution(at(1));
	const later = published.copy();
	later.trigger('b', 'B').stored(SCOPE);
	published.trigger('a', 'A').storeWithExecution(at(2));
	expect(readOf(later.copy().trigger('a', 'A').stored(SCOPE))).toBe(2);
});

test('a long position is found under a new name in the data of another trigger, too', () => {
	const { published, later } = publishedApart(longAt);
	const renamed = later.copy();
	renamed.data.Renamed = renamed.data.B;
	const b = () => renamed.trigger('b', 'Renamed');
	b().stored(SCOPE);
	b().storeUnderNewName(longAt(4));
	published.trigger('a', 'A').storeWithExecution(longAt(5));
	expect(readOf(published.copy().trigger('b', 'Renamed').stored(SCOPE))).toBe(4);
});

test('the polls of the scheduler without durable cursors keep copies, as those of default mode do', () => {
	const workflow = new Workflow();
	workflow.data.A = Object.defineProperty({}, '__dataChanged', { value: false });
	workflow.trigger('a', 'A', 36_000).storeWithExecution(at(1));
	expect(readOf(workflow.trigger('a', 'New', 36_000).stored(SCOPE))).toBe(1);
	expect(workflow.data.global).toHaveProperty(['position of a', 'progress']);
});

test('what a poll stored is forgotten with its copy of the data, if n8n dropped its result', () => {
	const published = new Workflow();
	published.trigger('a', 'A').storeWithExecution(at(1));
	published.trigger('b', 'B').storeWithExecution(at(1));
	const stored = published.copy();
	published.trigger('a', 'A').storeWithExecution(at(2));
	expect(readOf(stored.trigger('a', 'A').stored(SCOPE))).toBe(1);
	const other = published.copy();
	other.data.global = stored.copy().data.global;
	other.trigger('b', 'B').storeWithExecution(at(2));
	expect(readOf(other.copy().trigger('a', 'New').stored(SCOPE))).toBe(1);
});

test('one that asks for its former name keeps its position from a new trigger of that name', () => {
	const workflow = new Workflow();
	workflow.trigger('a', 'A').storeWithExecution(longAt(1));
	workflow.trigger('a', 'Renamed').claimFormerName();
	const added = workflow.trigger('new', 'A');
	expect(added.stored(SCOPE)).toEqual({ value: undefined });
	added.store(at(9));
	expect(readOf(workflow.trigger('a', 'Renamed').stored(SCOPE))).toBe(1);
});

test('a position that is gone from what n8n has stored is not brought back by a trigger beside it', () => {
	const { published, later } = publishedApart(at);
	published.data.A = {};
	published.data.global = {};
	expect(published.trigger('a', 'A').stored(SCOPE)).toEqual({ value: undefined });
	const other = later.copy();
	other.data.global = {};
	other.trigger('b', 'B').storeWithExecution(at(5));
	expect(other.data.global).not.toHaveProperty(['position of a']);
});

test('where n8n has a cursor by ID, durable cursors turned off again, nothing stands in the workflow’s data', () => {
	const own: IDataObject = {};
	const global: IDataObject = {};
	const store = new NodeStore({
		getNode: () => ({ id: 'a', name: 'A' }),
		getWorkflow: () => ({ id: 'off again' }),
		getPollBudgetMs: () => 300_000,
		getWorkflowStaticData: (type: string) => (type === 'node' ? own : watched(global)),
	} as unknown as IPollFunctions);
	store.storeWithExecution(at(1));
	expect(readOf(store.stored(SCOPE))).toBe(1);
	expect(global).toEqual({});
	expect(store.storeUnderNewName(at(1))).toBe(false);
});

test('a start with durable cursors is stored whole, however long: n8n keeps nothing else of it', () => {
	const global: IDataObject = {};
	const trigger = (own: IDataObject, budgetMs: number) => {
		const context = {
			getNode: () => ({ id: 'a', name: 'A' }),
			getWorkflow: () => ({ id: 'durable' }),
			getPollBudgetMs: () => budgetMs,
			getWorkflowStaticData: (type: string) => (type === 'node' ? own : watched(global)),
		};
		return new NodeStore(context as unknown as IPollFunctions);
	};
	trigger({}, 300_000).storeStart(longAt(1));
	expect(readOf(trigger({}, 36_000).stored(SCOPE))).toBe(1);
});
