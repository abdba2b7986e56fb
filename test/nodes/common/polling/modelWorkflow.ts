import type { IDataObject, INode, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { Workflow } from 'n8n-workflow';
import { deliverNew } from '../../../../nodes/common/polling/deliverNew';
import { beginPoll } from '../../../../nodes/common/polling/pollHost';
import type { MoveOn } from '../../../../nodes/common/polling/moveOn';
import type { PolledSource } from '../../../../nodes/common/polling/polledSource';
import { deferred } from '../../../support/deferred.cts';
import { FakeClock } from '../../../support/fakeClock.cts';

/** How a trigger of the workflow is set up. */
export interface ModelTrigger {
	id: string;
	name: string;
	moveOn: MoveOn;
	/** Whether its position is too long for a copy. */
	isLong: boolean;
	/** How long a poll of it takes. */
	readMs: number;
	startOver: string;
	/** Whether it begins with what comes from then on, else with all there is. */
	startsNow: boolean;
	isOff: boolean;
}

/** A trigger as it was published: n8n keeps the node, and the workflow with its static data. */
interface Registration {
	trigger: ModelTrigger;
	context: IPollFunctions;
}

interface Execution {
	nodeId: string;
	moveOn: MoveOn;
	ids: number[];
	state: 'running' | 'success' | 'error' | 'deadWorker' | 'ran nothing';
	endedAt?: number;
}

interface Position {
	scope: string;
	seen: number[];
	pad: string;
}

type Done = Parameters<IPollFunctions['__emit']>[2];

/** How long n8n's database takes to write static data, or the row of an execution. */
const SAVE_MS = 20;
const ROW_MS = 30;
/** What ended so shortly before a kill may come again with Finished and Succeeded. */
const JUST_BEFORE_MS = 200;
const BATCH_SIZE = 5;
const LONG = 'x'.repeat(8000);

let processes = 0;

/** A workflow of several triggers in a model of n8n's default mode. */
export class ModelWorkflow {
	readonly clock = new FakeClock();
	/** What each trigger's service has, by node ID. */
	readonly logs = new Map<string, number[]>();
	readonly executions: Execution[] = [];
	readonly surprises: string[] = [];
	/** What may be lost, or come twice: n8n was storing it, or working on it, when it was killed. */
	readonly excused = { lost: new Set<number>(), twice: new Set<number>() };
	work: { ending: 'success' | 'error'; takes: number; endsAt?: string } = {
		ending: 'success',
		takes: 100,
	};
	/** What follows a trigger. */
	followers: () => Array<{ name: string }> = () => [{ name: 'End' }];
	/** The column `staticData`, as JSON. */
	disk = '{}';
	private saved: Promise<void> = Promise.resolve();
	private process = ++processes;
	private isPublished = false;
	private registrations = new Map<string, Registration>();
	private readonly beingStored = new Set<Pick<Execution, 'ids' | 'moveOn'>>();
	/** How many, by node ID. */
	private readonly pollsUnderWay = new Map<string, number>();
	private entries = 0;

	constructor(readonly triggers: ModelTrigger[]) {
		for (const { id } of triggers) this.logs.set(id, []);
	}

	append(trigger: ModelTrigger, count: number): void {
		for (let more = 0; more < count; more++) this.logs.get(trigger.id)!.push(this.entries++);
	}

	/** n8n registers anew what has changed, from what its database holds. */
	async publish(): Promise<void> {
		const changed = this.triggers.filter((trigger) => {
			const { trigger: old } = this.registrations.get(trigger.id) ?? {};
			return !trigger.isOff && JSON.stringify(old) !== JSON.stringify(trigger);
		});
		for (const { id, isOff } of this.triggers) if (isOff) this.registrations.delete(id);
		for (const { id } of changed) this.registrations.delete(id);
		this.isPublished = true;
		if (changed.length === 0) return;
		await this.clock.advance(10 * SAVE_MS);
		const workflow = this.load();
		const { process } = this;
		const activations = changed.map(async (trigger) => {
			const registration = { trigger: { ...trigger }, context: this.contextOf(trigger, workflow) };
			this.registrations.set(trigger.id, registration);
			await this.poll(registration, true);
		});
		await this.clock.advance(4000);
		await Promise.all(activations);
		if (this.process === process) this.save(workflow);
		await this.clock.advance(10 * SAVE_MS);
	}

	async unpublish(): Promise<void> {
		// n8n has taken it, and finds no published version when it starts its execution.
		for (const { ids } of this.beingStored) for (const id of ids) this.excused.lost.add(id);
		this.registrations.clear();
		this.isPublished = false;
		await this.clock.advance(100);
	}

	startOver(trigger: ModelTrigger): void {
		trigger.startOver += '+';
		for (const id of this.logs.get(trigger.id)!) {
			this.excused.twice.add(id);
			if (trigger.startsNow) this.excused.lost.add(id);
		}
	}

	/** What came before counts as it does from now on. */
	moveOnWhen(trigger: ModelTrigger, moveOn: MoveOn): void {
		trigger.moveOn = moveOn;
		for (const one of this.executions) {
			if (one.nodeId !== trigger.id || one.moveOn === moveOn) continue;
			one.moveOn = 'handedOver';
			for (const id of one.ids) this.excused.twice.add(id);
		}
	}

	/** A poll time of one trigger. n8n does not wait for the poll before. */
	tick({ id }: ModelTrigger): void {
		const registration = this.registrations.get(id);
		if (registration) void this.poll(registration, false);
	}

	async kill(): Promise<void> {
		for (const { ids, moveOn } of this.beingStored) {
			for (const id of ids) {
				if (moveOn === 'handedOver') this.excused.lost.add(id);
				this.excused.twice.add(id);
			}
		}
		const justBefore = this.clock.now() - JUST_BEFORE_MS;
		for (const { nodeId, moveOn, ids, state, endedAt = justBefore } of this.executions) {
			// What was delivered is not stored before the next batch of its poll.
			const isReadingOn = (this.pollsUnderWay.get(nodeId) ?? 0) > 0;
			const isUnknown = state === 'running' || endedAt > justBefore || isReadingOn;
			if (moveOn !== 'handedOver' && isUnknown) for (const id of ids) this.excused.twice.add(id);
		}
		await this.startAgain();
	}

	/** Lets all executions end first, but no poll: n8n drops what those return. */
	async restart(): Promise<void> {
		this.registrations.clear();
		await this.clock.advance(20_000);
		await this.kill();
	}

	/** All polls have ended, and all executions. */
	async settle(): Promise<void> {
		await this.clock.advance(60_000);
		while (this.isPolling) await this.clock.advance(60_000);
	}

	isRegistered({ id }: ModelTrigger): boolean {
		return this.registrations.has(id);
	}

	get isPolling(): boolean {
		return [...this.pollsUnderWay.values()].some((count) => count > 0);
	}

	get faults(): string[] {
		const faults = [...this.surprises];
		for (const { id: nodeId } of this.triggers) {
			for (const id of this.logs.get(nodeId)!) {
				const times = this.executions.filter(
					(one) => one.nodeId === nodeId && one.ids.includes(id) && counts(one),
				).length;
				if (times === 0 && !this.excused.lost.has(id)) {
					faults.push(`${nodeId} lost ${id}`);
				}
				if (times > 1 && !this.excused.twice.has(id)) faults.push(`${nodeId} ${id} came twice`);
			}
		}
		return faults;
	}

	private async startAgain(): Promise<void> {
		for (const one of this.executions) if (one.state === 'running') one.state = 'deadWorker';
		this.process = ++processes;
		this.registrations.clear();
		this.beingStored.clear();
		this.saved = Promise.resolve();
		this.pollsUnderWay.clear();
		if (this.isPublished) await this.publish();
	}

	/** As n8n makes one for an activation; its static data notices what changes. */
	private load(): Workflow {
		return new Workflow({
			id: `process ${this.process}`,
			nodes: [],
			connections: {},
			active: true,
			nodeTypes: {} as never,
			staticData: JSON.parse(this.disk) as IDataObject,
		});
	}

	/** All of it at once, and only if something changed. */
	private save({ staticData }: Workflow): void {
		if (staticData.__dataChanged !== true) return;
		const content = JSON.stringify(staticData);
		const { process } = this;
		this.saved = this.saved.then(async () => {
			await this.clock.sleep(SAVE_MS);
			if (process !== this.process) return;
			this.disk = content;
			staticData.__dataChanged = false;
		});
	}

	private async poll(registration: Registration, isActivation: boolean): Promise<void> {
		const { process } = this;
		const { trigger, context } = registration;
		this.pollsUnderWay.set(trigger.id, (this.pollsUnderWay.get(trigger.id) ?? 0) + 1);
		const result = await this.deliver(trigger, context).catch((error: Error) => error);
		if (process !== this.process) return;
		this.pollsUnderWay.set(trigger.id, this.pollsUnderWay.get(trigger.id)! - 1);
		if (result instanceof Error) {
			if (!result.message.includes('in a row')) this.surprises.push(result.message);
			return;
		}
		const isCurrent = this.registrations.get(trigger.id) === registration;
		if (result && (isActivation || isCurrent)) context.__emit(result);
	}

	private async deliver(
		{ id, moveOn, isLong, readMs, startOver, startsNow }: ModelTrigger,
		context: IPollFunctions,
	): Promise<INodeExecutionData[][] | null> {
		const scope = `log ${startOver}`;
		const source: PolledSource<Position> = {
			scope,
			position: (stored) => {
				const position = stored as Position;
				return position.scope === scope ? position : undefined;
			},
			start: async () => {
				const seen = startsNow ? [...this.logs.get(id)!] : [];
				return { position: { scope, seen, pad: '' }, isNow: startsNow };
			},
			read: async ({ seen }, end) => {
				const known = new Set(seen);
				const all = this.logs.get(id)!.filter((one) => !known.has(one));
				await this.clock.sleep(readMs);
				const batch = all.filter((one) => one <= Number(end ?? Infinity)).slice(0, BATCH_SIZE);
				return {
					items: batch.map((one) => ({ json: { id: one } })),
					after: { scope, seen: [...seen, ...batch], pad: isLong ? LONG : '' },
					end: batch.length > 0 ? String(batch.at(-1)) : undefined,
					hasMore: all.length > BATCH_SIZE,
					isUnfinished: false,
				};
			},
		};
		const terms = beginPoll(context, this.clock.now());
		const settings = { ...terms, moveOn, clock: this.clock, sizeOption: 'Max' };
		return await deliverNew(context, source, settings);
	}

	private contextOf(trigger: ModelTrigger, workflow: Workflow): IPollFunctions {
		const { id, name, moveOn } = trigger;
		const { process } = this;
		const emit = ([items]: INodeExecutionData[][], _: unknown, done: Done) => {
			if (process !== this.process) return;
			const ids = items.map(({ json }) => json.id as number);
			const batch = { ids, moveOn };
			this.beingStored.add(batch);
			this.save(workflow);
			const { saved } = this;
			const started = this.execute({ id, name }, batch, done);
			void Promise.all([saved, started]).then(() => this.beingStored.delete(batch));
		};
		return {
			getMode: () => 'trigger',
			getNode: () => ({ id, name }),
			getChildNodes: () => this.followers(),
			getWorkflow: () => ({ id: workflow.id }),
			getWorkflowStaticData: (type: string) => workflow.getStaticData(type, { name } as INode),
			getWorkflowSettings: () => ({}),
			getPollBudgetMs: () => 300_000,
			logger: { warn: () => {} },
			helpers: { createDeferredPromise: deferred },
			__emit: emit,
		} as unknown as IPollFunctions;
	}

	/** @returns once the execution's row is written; it goes on after that. */
	private async execute(
		{ id: nodeId, name }: Pick<ModelTrigger, 'id' | 'name'>,
		batch: Pick<Execution, 'ids' | 'moveOn'>,
		done: Done,
	): Promise<void> {
		const { process } = this;
		await this.clock.sleep(ROW_MS);
		if (process !== this.process) return;
		if (!this.isPublished) return done?.reject(new Error('Published version not found'));
		const execution: Execution = { nodeId, ...batch, state: 'running' };
		this.executions.push(execution);
		// At a name that the workflow has no more, nothing follows.
		const isGone = this.registrations.get(nodeId)?.trigger.name !== name;
		if (!isGone) return void this.finish(execution, done, process);
		execution.state = 'ran nothing';
		done?.resolve({
			status: 'success',
			data: { resultData: { lastNodeExecuted: name } },
		} as never);
	}

	private async finish(execution: Execution, done: Done, process: number): Promise<void> {
		const { ending, takes, endsAt = 'End' } = this.work;
		await this.clock.sleep(execution.ids.length > 0 ? takes : 50);
		if (process !== this.process) return;
		execution.state = execution.ids.length > 0 ? ending : 'success';
		execution.endedAt = this.clock.now();
		const run = { status: ending, data: { resultData: { lastNodeExecuted: endsAt } } };
		done?.resolve(run as never);
	}
}

function counts({ state, moveOn }: Execution): boolean {
	if (moveOn === 'handedOver') return true;
	return state === 'success' || (moveOn === 'finished' && state === 'error');
}
