import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import {
	ManualExecutionCancelledError,
	SystemShutdownExecutionCancelledError,
	TimeoutExecutionCancelledError,
} from 'n8n-workflow';
import { deliverNew } from '../../../../nodes/common/polling/deliverNew';
import { beginPoll } from '../../../../nodes/common/polling/pollHost';
import type { MoveOn } from '../../../../nodes/common/polling/moveOn';
import type { PolledSource } from '../../../../nodes/common/polling/polledSource';
import { deferred } from '../../../support/deferred.cts';
import { FakeClock } from '../../../support/fakeClock.cts';

export type Mode = 'default' | 'durable';

/** How an execution ends, and after how many milliseconds. */
export interface Work {
	ending:
		| 'success'
		| 'error'
		| 'waiting'
		| 'deadWorker'
		| 'stopped'
		| 'timedOut'
		| 'shutdown'
		| 'never';
	takes: number;
}

/** Where n8n dies when it is handed a batch. */
export type Crash = 'beforeSaving' | 'stateSavedOnly' | 'executionStartedOnly';

interface Position {
	scope: string;
	/** Ids of all that is delivered. */
	seen: number[];
}

interface Entry {
	id: number;
	time: number;
}

interface Execution {
	ids: number[];
	state: 'running' | Work['ending'];
}

const FINISHED: readonly string[] = ['success', 'waiting', 'error', 'stopped', 'timedOut'];
const SUCCEEDED: readonly string[] = ['success', 'waiting'];

const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

let processes = 0;

/** A trigger of a simple log in a model of n8n: its two ways of keeping static data, and its deaths. */
export class ModelN8n {
	readonly clock = new FakeClock();
	readonly log: Entry[] = [];
	readonly executions: Execution[] = [];
	/** What should not happen in a poll. */
	private readonly surprises: string[] = [];
	/** Ids that may come again: under way at a kill, or put back. */
	readonly excused = new Set<number>();
	work: Work = { ending: 'success', takes: 100 };
	crash: Crash | undefined;
	/** Whether a poll has no time to read anything. */
	isServiceSlow = false;
	private disk: { node: IDataObject; workflow: IDataObject } = { node: {}, workflow: {} };
	private readonly everOnDisk: Array<typeof this.disk> = [];
	/** Of a registration: the static data in memory, and the context of default mode. */
	private memory = copy(this.disk);
	private context: IPollFunctions | undefined;
	private processNumber = ++processes;
	private onDiskAtStart = 0;
	private pollsUnderWay = 0;
	/** Of the last poll that read. */
	private deadline = 0;
	private isAlive = true;
	private polls: Array<Promise<void>> = [];
	/** Ids that were delivered after the poll that handed them over. */
	private settledLate: number[] = [];

	constructor(
		private readonly mode: Mode,
		private readonly moveOn: MoveOn,
		private readonly batchSize: number,
	) {}

	append(count: number, lateMs: number): void {
		for (let more = 0; more < count; more++) {
			this.log.push({ id: this.log.length, time: this.clock.now() - lateMs });
		}
	}

	/** n8n registers the trigger, and polls at once: not with durable cursors at a mere start. */
	async activate(isStart: boolean): Promise<void> {
		this.memory = copy(this.disk);
		const loaded = JSON.stringify(this.memory);
		this.context = undefined;
		if (this.mode === 'durable' && isStart) return;
		const context = this.newContext(300_000, this.mode === 'durable');
		if (this.mode === 'default') this.context = context;
		const poll = this.runPoll(context, { isTick: false });
		await this.clock.advance(1000);
		await poll;
		if (this.mode === 'default' && JSON.stringify(this.memory) !== loaded) this.save();
	}

	/** One poll time; with durable cursors perhaps on a cursor that was read too early, or in vain. */
	tick({ isAbandoned = false, olderBy = 0 } = {}): void {
		if (this.mode === 'default') {
			this.polls.push(this.runPoll(this.context!, { isTick: true }));
			return;
		}
		// Read earlier, but by this process.
		const older = this.everOnDisk.slice(this.onDiskAtStart).at(-1 - olderBy)?.node;
		const context = this.newContext(36_000, true, isAbandoned, older);
		this.polls.push(this.runPoll(context, { isTick: true, isAbandoned }));
	}

	/** Lets time pass. */
	async pass(ms: number): Promise<void> {
		await this.clock.advance(ms);
	}

	/** Ends n8n like SIGKILL and starts it again. */
	async kill(meanwhile = () => {}): Promise<void> {
		this.isAlive = false;
		const stored = this.storedIds;
		for (const { ids, state } of this.executions) {
			for (const id of ids) if (state === 'running' || !stored.has(id)) this.excused.add(id);
		}
		meanwhile();
		await this.startAgain();
	}

	/** Lets everything end, then stops n8n and starts it again. */
	async restartOrderly(): Promise<void> {
		await this.settle();
		// With durable cursors only the next poll can store what ended after its own.
		if (this.mode === 'durable') for (const id of this.settledLate) this.excused.add(id);
		this.isAlive = false;
		await this.startAgain();
	}

	/** In default mode n8n finds nothing of the node's own under a new name. */
	async rename({ isOff }: { isOff: boolean }): Promise<void> {
		const renamed = () => {
			if (this.mode === 'default') this.disk = { ...this.disk, node: {} };
		};
		if (isOff) return await this.kill(renamed);
		renamed();
		await this.activate(false);
	}

	/** Another execution of the workflow stores its older copy of the static data. */
	rewind(by: number): void {
		if (this.mode === 'durable') return;
		this.disk = copy(this.everOnDisk.at(-1 - by) ?? this.disk);
		for (const { id } of this.log) this.excused.add(id);
	}

	/** All executions that can end have ended, and so have all polls. */
	async settle(): Promise<void> {
		await this.clock.advance(400_000);
		await Promise.all(this.polls.splice(0));
	}

	/** Faults of what has come so far. */
	get faults(): string[] {
		const faults = [...this.surprises];
		for (const { id } of this.log) {
			const times = this.executions.filter((one) => one.ids.includes(id) && this.counts(one));
			if (times.length > 1 && !this.excused.has(id)) faults.push(`${id} came twice`);
		}
		return faults;
	}

	/** Ids that no execution worked on as it should. */
	get missing(): number[] {
		return this.log.flatMap(({ id }) =>
			this.executions.some((one) => one.ids.includes(id) && this.counts(one)) ? [] : [id],
		);
	}

	private counts({ state }: Execution): boolean {
		return (this.moveOn === 'finished' ? FINISHED : SUCCEEDED).includes(state);
	}

	private get storedIds(): Set<number> {
		// Under whatever name.
		const states = [...this.everOnDisk, this.disk].map(({ node }) => node.pollState);
		const state = states.filter((one) => one !== undefined).at(-1) as Position | undefined;
		return new Set(state?.seen);
	}

	private async startAgain(): Promise<void> {
		for (const execution of this.executions) {
			if (execution.state === 'running') execution.state = 'deadWorker';
		}
		this.processNumber = ++processes;
		this.onDiskAtStart = Math.max(0, this.everOnDisk.length - 1);
		this.isAlive = true;
		this.crash = undefined;
		this.polls = [];
		this.settledLate = [];
		await this.activate(true);
	}

	private save(): void {
		if (!this.isAlive) return;
		this.store(this.memory);
	}

	private store(data: typeof this.disk): void {
		this.disk = copy(data);
		this.everOnDisk.push(copy(data));
	}

	private async runPoll(
		context: IPollFunctions,
		{ isTick, isAbandoned = false }: { isTick: boolean; isAbandoned?: boolean },
	): Promise<void> {
		const process = this.processNumber;
		const isOurs = () => this.isAlive && process === this.processNumber;
		this.pollsUnderWay++;
		const result = await this.poll(context).catch((error: Error) => error);
		this.pollsUnderWay--;
		if (result instanceof Error) {
			if (!result.message.includes('in a row')) this.surprises.push(result.message);
			return;
		}
		if (result !== null) this.surprises.push('a poll returned what it should emit');
		if (this.mode === 'durable' && isTick && !isAbandoned && isOurs()) {
			await context.__commitCursor!();
			const seen = this.storedIds;
			this.settledLate = this.settledLate.filter((id) => !seen.has(id));
		}
	}

	private async poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		const terms = beginPoll(context, this.clock.now());
		const scope = 'log';
		const source: PolledSource<Position> = {
			scope,
			position: (stored) => {
				const { seen, ...more } = stored as Position;
				if (Object.keys(more).join() !== 'scope')
					this.surprises.push('a position that was not stored so');
				return { scope, seen };
			},
			start: async () => ({ position: { scope, seen: [] }, isNow: false }),
			read: async ({ seen }, end) => {
				this.deadline = terms.deadline;
				await this.clock.sleep(200);
				const position = { scope, seen };
				if (this.isServiceSlow) {
					return { items: [], after: position, hasMore: true, isUnfinished: true };
				}
				const known = new Set(seen);
				const all = this.log
					.filter(({ id, time }) => !known.has(id) && time <= Number(end ?? Infinity))
					.sort((a, b) => a.time - b.time || a.id - b.id);
				const batch = all.slice(0, this.batchSize);
				return {
					items: batch.map(({ id }) => ({ json: { id } })),
					after: { scope, seen: [...seen, ...batch.map(({ id }) => id)] },
					end: batch.length > 0 ? String(batch.at(-1)!.time) : undefined,
					// A console may promise more than there is.
					hasMore: batch.length > 0,
					isUnfinished: false,
				};
			},
		};
		return await deliverNew(context, source, {
			...terms,
			moveOn: this.moveOn,
			clock: this.clock,
			sizeOption: 'Max',
		});
	}

	private newContext(
		budget: number,
		isDurable: boolean,
		isAbandoned = false,
		cursor = this.disk.node,
	): IPollFunctions {
		const process = this.processNumber;
		const isOurs = () => this.isAlive && process === this.processNumber;
		const data = isDurable
			? { node: copy(cursor), workflow: copy(this.disk.workflow) }
			: this.memory;
		// n8n watches what is a part of the workflow's data.
		if (!isDurable) Object.defineProperty(data.node, '__dataChanged', { value: false });
		let seed = JSON.stringify(data.node);
		const emit: IPollFunctions['__emit'] = (items, _, done) => {
			if (!isOurs()) return;
			const { crash } = this;
			if (crash === 'beforeSaving') this.isAlive = false;
			const hasMoved = isDurable && JSON.stringify(data.node) !== seed;
			seed = JSON.stringify(data.node);
			if (isDurable ? hasMoved && isAbandoned : false) {
				done?.resolve(undefined);
				return;
			}
			if (this.isAlive && crash !== 'executionStartedOnly') {
				if (!isDurable) this.store(data);
				else if (hasMoved) this.store({ ...this.disk, node: data.node });
			}
			const isStarted = this.isAlive && (crash !== 'stateSavedOnly' || isDurable);
			if (isStarted)
				void this.execute(
					items[0].map(({ json }) => json.id as number),
					done,
					isOurs,
				);
			if (crash) this.isAlive = false;
		};
		return {
			getMode: () => 'trigger',
			getNode: () => ({ id: 'node', name: 'Trigger' }),
			getChildNodes: () => [],
			getWorkflow: () => ({ id: `process ${process}` }),
			getWorkflowStaticData: (type: string) => (type === 'node' ? data.node : data.workflow),
			getWorkflowSettings: () => ({}),
			getPollBudgetMs: () => budget,
			logger: { warn: () => {} },
			helpers: { createDeferredPromise: deferred },
			__emit: emit,
			__commitCursor: async () => {
				if (JSON.stringify(data.node) !== seed) this.store({ ...this.disk, node: data.node });
			},
		} as unknown as IPollFunctions;
	}

	private async execute(
		ids: number[],
		done: Parameters<IPollFunctions['__emit']>[2],
		isOurs: () => boolean,
	): Promise<void> {
		const isRunning = this.executions.some((one) => one.state === 'running' && one.ids.length > 0);
		if (isRunning && ids.length > 0) this.surprises.push('two batches at a time');
		const execution: Execution = { ids, state: 'running' };
		this.executions.push(execution);
		const { ending, takes } =
			ids.length > 0 ? this.work : { ending: 'success' as const, takes: 50 };
		await this.clock.sleep(takes);
		if (!isOurs()) return;
		execution.state = ending;
		const isLate = this.pollsUnderWay === 0 || this.clock.now() >= this.deadline;
		if (isLate) this.settledLate.push(...ids);
		const run = (status: string, lastNodeExecuted?: string) =>
			done?.resolve({ status, data: { resultData: { runData: {}, lastNodeExecuted } } } as never);
		switch (ending) {
			case 'never':
				return;
			case 'stopped':
				return done?.reject(new ManualExecutionCancelledError('1'));
			case 'timedOut':
				return done?.reject(new TimeoutExecutionCancelledError('1'));
			case 'shutdown':
				return done?.reject(new SystemShutdownExecutionCancelledError('1'));
			case 'deadWorker':
				return run('error');
			default:
				return run(ending, 'End');
		}
	}
}
