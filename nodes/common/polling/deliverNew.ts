import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import type { Clock } from '../../../transport/clock';
import type { Delivery, LatestPoll, Step } from './deliveries';
import { Deliveries } from './deliveries';
import type { MoveOn } from './moveOn';
import { isDelivered } from './moveOn';
import type { Batch, PolledSource } from './polledSource';
import {
	canStartExecutions,
	isPartOfWorkflow,
	isScheduled,
	longestExecutionMs,
	startExecution,
	triggerKey,
	warn,
	whenTaken,
} from './pollHost';
import type { PollTerms } from './pollHost';
import type { StoredProgress } from './nodeStore';
import { NodeStore } from './nodeStore';
import type { Progress } from './progress';
import { unpackProgress } from './progress';
import { hasLostItsName, isLosingItsName, isNameTaken, noteName } from './triggerNames';

export interface DeliverySettings extends PollTerms {
	moveOn: MoveOn;
	clock: Clock;
	/** Name of the option that bounds a batch. */
	sizeOption: string;
}

/** What this process knows of its triggers beyond what n8n gives them. */
const known = new Map<string, Deliveries<unknown>>();

/**
 * One poll of a trigger: reads what is new, delivers it to n8n, and moves on as the user wants it.
 * @returns `null` when nothing is new, or when the poll has started the executions itself.
 * @throws NodeApiError when nothing could be read, but not at the activation of a trigger that has a
 * position. What was read before a failure is delivered, and the failure is thrown by the next poll
 * if it lasts. NodeOperationError when a batch failed again.
 */
export async function deliverNew<P extends object>(
	context: IPollFunctions,
	source: PolledSource<P>,
	settings: DeliverySettings,
): Promise<INodeExecutionData[][] | null> {
	const key = triggerKey(context);
	const { scope } = source;
	const before = known.get(key);
	const deliveries = before?.scope === scope ? before : new Deliveries(scope, settings.clock);
	noteName(context);
	// n8n starts the next poll whether or not the last has ended.
	if (deliveries.isPolling) {
		const { latest } = deliveries;
		if (settings.isActivation && latest) {
			new NodeStore(context).storeUnderNewName(latest as Progress<object>);
		}
		return null;
	}
	known.set(key, deliveries);
	deliveries.isPolling = true;
	try {
		return await new Poll(context, source, settings, deliveries as Deliveries<P>, key).run();
	} finally {
		deliveries.isPolling = false;
	}
}

/**
 * Batches that polls have returned and n8n was not seen to take, by the static data that they follow.
 * If n8n polls with that data again, it has taken the batch in another way: where it drops one, it polls
 * with other data from then on.
 */
const untaken = new WeakMap<object, () => void>();

class Poll<P extends object> implements LatestPoll {
	private readonly store: NodeStore;
	/** When to wait no longer, by the monotonic clock: the other one may be set back meanwhile. */
	private readonly waitUntil: number;
	/** What n8n has stored, or will, of this trigger. */
	private stored: Progress<P> | undefined;
	private readonly formerName: StoredProgress['formerName'];

	constructor(
		readonly context: IPollFunctions,
		private readonly source: PolledSource<P>,
		private readonly settings: DeliverySettings,
		private readonly deliveries: Deliveries<P>,
		private readonly key: string,
	) {
		deliveries.latestPoll = this;
		this.store = new NodeStore(context);
		untaken.get(this.store.own)?.();
		this.store.dropCopy(source.scope);
		this.waitUntil = settings.clock.monotonic() + settings.deadline - settings.clock.now();
		const { value, formerName } = this.store.stored(source.scope);
		this.formerName = formerName;
		const unpacked = unpackProgress(value);
		const position = unpacked && source.position(unpacked.position);
		this.stored = position && { ...unpacked, position };
		deliveries.kept ??= position;
	}

	async run(): Promise<INodeExecutionData[][] | null> {
		for (;;) {
			if (this.mustEnd) return null;
			const step = this.nextStep();
			const latest = step.do === 'read' ? step.progress : this.deliveries.latest;
			if (latest && this.store.storeUnderNewName(latest)) this.storeNow();
			if (step.do === 'nothing') return null;
			if (step.do === 'complain') {
				const complaint = this.complaint(step.attempts, step.pauseMs);
				// n8n would unpublish the workflow, which may just have been mended.
				if (this.settings.isActivation) return null;
				throw complaint;
			}
			if (step.do === 'start' && this.formerName !== undefined) {
				this.store.claimFormerName();
				throw this.outOfReach(this.formerName);
			}
			const progress = step.do === 'read' ? step.progress : await this.start();
			if (!progress) return null;
			const result = await this.deliver(progress);
			if (result !== 'readOn') return result;
		}
	}

	private nextStep(): Step<P> {
		const { moveOn } = this.settings;
		const longestMs = (untold: number) => longestExecutionMs(this.context, untold);
		return this.deliveries.advance(this.stored, { moveOn, longestMs });
	}

	/** @returns `undefined` for one that starts now: there is nothing to deliver yet. */
	private async start(): Promise<Progress<P> | undefined> {
		const { position, isNow } = await this.source.start();
		// A scope that it had before may still stand somewhere, and must not be taken for newer.
		const progress = { position, revision: this.store.lastRevision + 1 };
		if (!isNow) return progress;
		if (this.isReplaced) return undefined;
		this.deliveries.moveTo(progress);
		this.stored = progress;
		this.deliveries.kept = position;
		this.store.storeStart(progress);
		this.storeNow();
		return undefined;
	}

	private async deliver(from: Progress<P>): Promise<INodeExecutionData[][] | null | 'readOn'> {
		const { moveOn, clock, deadline } = this.settings;
		const begun = clock.now();
		const batch = await this.source.read(from.position, from.pending?.end);
		if (this.mustEnd) return null;
		// A failure and a batch that comes again have complaints of their own.
		if (batch.failure || from.pending) this.deliveries.backlog.forget();
		else this.warnIfFallingBehind(batch);
		if (batch.items.length === 0) return this.nothingNew(from, batch);
		if (batch.failure) this.warnPostponed(batch.failure);
		if (moveOn === 'handedOver') return this.handOver(from, batch);
		const isDone = await this.deliverAndWait(from, batch);
		const now = clock.now();
		// As the last batch, the next one should end within this poll too.
		const hasTime = now + (now - begun) < deadline;
		// What came again is stored as delivered before anything else is read.
		if (isDone && batch.hasMore && !batch.failure && hasTime && !from.pending) return 'readOn';
		this.afterBatch();
		return null;
	}

	private handOver(from: Progress<P>, { items, after }: Batch<P>): INodeExecutionData[][] {
		const { context, deliveries, store } = this;
		const progress = deliveries.addReturned(from, after);
		const returned = [items];
		if (store.keepsId || !isPartOfWorkflow(store.own)) {
			this.storeWithExecution(progress);
			return returned;
		}
		// What n8n drops must not stand in data that n8n may store for somebody else.
		const taken = () => {
			untaken.delete(store.own);
			// Taken so late that it was read again meanwhile, it must not lead back.
			const isOld = (deliveries.latest?.revision ?? -1) >= progress.revision;
			if (isOld || this.isReplaced) return;
			deliveries.moveTo(progress);
			this.storeWithExecution(progress);
		};
		untaken.set(store.own, taken);
		whenTaken(context, returned, taken);
		return returned;
	}

	private nothingNew(
		from: Progress<P>,
		{ after, failure, isUnfinished }: Batch<P>,
	): null | 'readOn' {
		if (from.pending && !isUnfinished && !failure) {
			// The service has none of the batch any more; what follows it is read as usual.
			this.deliveries.moveTo({ position: after, revision: from.revision + 1 });
			return 'readOn';
		}
		// What was read holds nothing new, and need not be read again.
		const to = { ...from, position: after };
		if (failure) {
			this.deliveries.moveTo(to);
			// n8n would never poll a trigger that fails when n8n starts, though the service is well later.
			const mustStart = this.settings.isActivation && this.stored !== undefined;
			if (!this.isNewer(to) && !mustStart) throw failure;
			this.warnPostponed(failure);
		}
		this.moveTo(to);
		return null;
	}

	/** @returns Whether the batch is delivered already. */
	private async deliverAndWait(from: Progress<P>, batch: Batch<P>): Promise<boolean> {
		const { moveOn, clock } = this.settings;
		const { items, after, end } = batch;
		const delivery = this.deliveries.addAwaited(from, after, end);
		const { attempts } = delivery.progress.pending!;
		if (attempts > 1) {
			warn(this.context, `delivers ${items.length} items again, attempt ${attempts}`);
		}
		this.storeWithExecution(delivery.progress);
		const { context } = this;
		const settled = startExecution(context, items, {
			doubtsEnd: from.pending?.endedAtTrigger !== true,
			hasLostItsName: async () => await isLosingItsName(context, clock),
		}).then((outcome) => {
			delivery.outcome = outcome;
		});
		if (!this.settings.isActivation) {
			const patience = new AbortController();
			const left = this.waitUntil - clock.monotonic();
			await Promise.race([settled, clock.sleep(left, patience.signal)]);
			patience.abort();
		}
		if (delivery.outcome !== undefined) return isDelivered(delivery.outcome, moveOn);
		// Whatever is wrong by then, the next poll meets it too, and can say so.
		void settled.then(() => this.settledLater(delivery)).catch(() => {});
		return false;
	}

	/**
	 * The execution has ended after its poll. That it is delivered is stored at once where n8n still
	 * takes it, so that a restart does not bring it again; else the next poll does. It is stored as n8n
	 * knows the trigger now: with what an old poll changes, n8n would store all that stood beside it then.
	 */
	private settledLater(delivery: Delivery<P>): void {
		const poll = this.deliveries.latestPoll ?? this;
		if (!this.deliveries.isLast(delivery) || isScheduled(poll.context)) return;
		if (isDelivered(delivery.outcome!, this.settings.moveOn)) poll.afterBatch();
	}

	/** Moves on if the batch is delivered, or complains that it failed. */
	afterBatch(): void {
		// What it would store now is older than what the node that replaced it has.
		if (this.isReplaced || isNameTaken(this.context)) return;
		const step = this.nextStep();
		if (step.do === 'complain') throw this.complaint(step.attempts, step.pauseMs);
		if (step.do === 'read' && this.isNewer(step.progress)) this.moveTo(step.progress);
	}

	private get mustEnd(): boolean {
		return this.isReplaced || hasLostItsName(this.context);
	}

	/** Whether the trigger has started over since this poll began: its position is another one now. */
	private get isReplaced(): boolean {
		return known.get(this.key) !== this.deliveries;
	}

	/** Than what n8n has stored. */
	private isNewer({ revision }: Progress<P>): boolean {
		return (this.stored?.revision ?? 0) < revision;
	}

	/**
	 * Goes on from a progress although there is nothing to deliver. In default mode n8n stores one only
	 * with an execution: where it matters, that is one without items.
	 */
	private moveTo(progress: Progress<P>): void {
		const { deliveries, context } = this;
		const mustBeStored = this.settings.moveOn !== 'handedOver' && this.isNewer(progress);
		deliveries.moveTo(progress);
		if (this.store.keepsId || !(mustBeStored || this.isLongWay(progress))) {
			this.storeProgress(progress);
			return;
		}
		this.storeWithExecution(progress);
		void startExecution(context, []);
	}

	/** Has n8n store what else it would store only with the next batch; after an activation it does. */
	private storeNow(): void {
		if (this.settings.isActivation || this.store.keepsId) return;
		if (canStartExecutions(this.context)) void startExecution(this.context, []);
	}

	private isLongWay({ position }: Progress<P>): boolean {
		const { kept } = this.deliveries;
		const isLong = kept !== undefined && this.source.isLongWay?.(kept, position);
		return isLong === true && canStartExecutions(this.context);
	}

	private storeWithExecution(progress: Progress<P>): void {
		this.stored = progress;
		this.store.storeWithExecution(progress);
		this.deliveries.kept = progress.position;
	}

	/** Has n8n store a progress after the poll, or, in default mode, with the next execution. */
	private storeProgress(progress: Progress<P>): void {
		this.stored = progress;
		this.store.store(progress);
	}

	private warnIfFallingBehind({ lag }: Batch<P>): void {
		const { deliveries, settings, context } = this;
		if (!lag || !deliveries.backlog.grows(lag.ms, settings.clock.monotonic())) return;
		const hours = (lag.ms / 3_600_000).toFixed(1);
		warn(context, `is ${hours} hours behind, and does not catch up. ${lag.advice}`);
	}

	private warnPostponed({ message }: Error): void {
		const postponed =
			'Everything read before that is delivered. The next poll continues from there.';
		warn(this.context, `${message.replace(/\.$/, '')}. ${postponed}`);
	}

	private outOfReach(name: string): NodeOperationError {
		const message = `n8n keeps the position of this trigger under its former name, "${name}"`;
		const description =
			"Give it that name again and publish it. Then you can rename it. Or enter a new text in 'Start Over' to begin again at 'Start From'.";
		return new NodeOperationError(this.context.getNode(), message, { description });
	}

	private complaint(attempts: number, pauseMs: number): NodeOperationError {
		const { moveOn, sizeOption } = this.settings;
		const verb = moveOn === 'succeeded' ? 'succeed' : 'finish';
		const message = `On the same batch, the workflow did not ${verb} ${attempts} times in a row`;
		const minutes = Math.round(pauseMs / 60_000);
		const description = `Nothing is skipped: the batch is delivered again after a pause (now ${minutes} min). The failed executions say why. If one item is the cause, a lower '${sizeOption}' makes the batch smaller.`;
		warn(this.context, `${message}. ${description}`);
		return new NodeOperationError(this.context.getNode(), message, {
			description,
			failure: { cause: 'temporarily-unavailable', retryAfterMs: pauseMs },
		});
	}
}
