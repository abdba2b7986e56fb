import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { NodeStore } from '../../../../nodes/common/polling/nodeStore';
import { unpackProgress } from '../../../../nodes/common/polling/progress';
import { at, longAt, publishedApart, readOf, SCOPE, watched, Workflow } from './storedWorkflow';

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
