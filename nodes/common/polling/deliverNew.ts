import type { INodeExecutionData, IPollFunctions, NodeApiError } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import type { Clock } from '../../../transport/clock';
import type { Delivery, Step } from './deliveries';
import { Deliveries } from './deliveries';
import type { MoveOn } from './moveOn';
import { isDelivered } from './moveOn';
import {
	isActivation,
	longestExecutionMs,
	NodeStore,
	notePoll,
	startExecution,
	storesSilentPolls,
	triggerKey,
} from './pollHost';
import type { Progress } from './progress';
import { packProgress, unpackProgress } from './progress';

/** What was read of a service in one go. */
export interface Batch<P> {
	/** What is new, for one execution; empty where nothing is. */
	items: INodeExecutionData[];
	/** The position behind it. */
	after: P;
	/** Where it ends, in the words of the service: `read` takes it back. */
	end?: string;
	/** Whether there is probably more to read at once. */
	hasMore: boolean;
	/** What ended the reading before its end; what was read before it is complete. */
	failure?: NodeApiError;
	/** Whether reading did not come to its end, so that a batch that is not there may still be. */
	isUnfinished: boolean;
}

/** A service that a trigger reads; `P` is the trigger's position in it, a plain object. */
export interface PolledSource<P extends object> {
	/** What is read, and from when the user wants it: with another one the trigger starts over. */
	scope: string;
	/**
	 * The position that n8n stored, or `undefined` where it belongs to another scope.
	 * @throws NodeOperationError where it cannot be used.
	 */
	position(stored: unknown): P | undefined;
	/** Where a trigger begins; `isNow`: this very moment, to be kept although nothing was delivered. */
	start(): Promise<{ position: P; isNow: boolean }>;
	/** Reads what is new after a position, or, of a batch that comes again, up to its end. */
	read(from: P, end: string | undefined): Promise<Batch<P>>;
}

export interface DeliverySettings {
	moveOn: MoveOn;
	/** When to read no more, and to wait no longer, in milliseconds of the clock. */
	deadline: number;
	clock: Clock;
	/** Name of the option that bounds a batch. */
	sizeOption: string;
}

/** Polls under way in this process: n8n starts the next one whether or not the last has ended. */
const polling = new Set<string>();

/** What this process knows of its triggers beyond what n8n gives them. */
const known = new Map<string, Deliveries<object>>();

/**
 * One poll of a trigger: reads what is new, hands it to n8n, and moves on as the user wants it.
 * @returns `null` when there is nothing to hand over, or when it was handed over already.
 * @throws NodeApiError when nothing could be read. What was read before a failure is delivered, and
 * the failure is thrown by the next poll if it lasts. NodeOperationError when a batch failed again.
 */
export async function deliverNew<P extends object>(
	context: IPollFunctions,
	source: PolledSource<P>,
	settings: DeliverySettings,
): Promise<INodeExecutionData[][] | null> {
	const key = triggerKey(context);
	if (polling.has(key)) return null;
	polling.add(key);
	try {
		const ofScope = known.get(key)?.scope === source.scope ? known.get(key) : undefined;
		const deliveries = (ofScope ?? new Deliveries(source.scope)) as Deliveries<P>;
		known.set(key, deliveries as unknown as Deliveries<object>);
		return await new Poll(context, source, settings, deliveries).run();
	} finally {
		polling.delete(key);
		notePoll(context);
	}
}

class Poll<P extends object> {
	private readonly store: NodeStore;
	private readonly mustNotWait: boolean;

	constructor(
		private readonly context: IPollFunctions,
		private readonly source: PolledSource<P>,
		private readonly settings: DeliverySettings,
		private readonly deliveries: Deliveries<P>,
	) {
		this.store = new NodeStore(context);
		this.store.dropStart();
		this.mustNotWait = isActivation(context);
	}

	async run(): Promise<INodeExecutionData[][] | null> {
		for (;;) {
			const step = this.next();
			if (step.do === 'wait') return null;
			if (step.do === 'complain') throw this.complaint(step.attempts, step.pauseMs);
			const progress = step.do === 'read' ? step.progress : await this.start();
			if (!progress) return null;
			const result = await this.deliver(progress);
			if (result !== 'goOn') return result;
		}
	}

	private next(): Step<P> {
		const { moveOn, clock } = this.settings;
		return this.deliveries.next(this.stored, {
			moveOn,
			now: clock.now(),
			longestMs: longestExecutionMs(this.context),
		});
	}

	private get stored(): Progress<P> | undefined {
		const unpacked = unpackProgress(this.store.stored);
		const position = unpacked && this.source.position(unpacked.position);
		return position && { ...unpacked, position };
	}

	/** @returns `undefined` for one that starts now: there is nothing to deliver yet. */
	private async start(): Promise<Progress<P> | undefined> {
		const { position, isNow } = await this.source.start();
		const progress = { position, revision: 0 };
		if (!isNow) return progress;
		this.deliveries.keep(progress);
		this.store.storeStart(packProgress(progress));
		return undefined;
	}

	private async deliver(from: Progress<P>): Promise<INodeExecutionData[][] | null | 'goOn'> {
		const { moveOn, clock } = this.settings;
		const begun = clock.now();
		const batch = await this.source.read(from.position, from.pending?.end);
		if (batch.items.length === 0) return this.nothingNew(from, batch);
		if (batch.failure) this.warn(`${batch.failure.message}. ${POSTPONED}`);
		if (moveOn === 'handedOver') {
			this.put(this.deliveries.returned(from, batch.after, clock.now()).progress);
			return [batch.items];
		}
		const isDone = await this.deliverAndWait(from, batch);
		// What came again is stored as delivered before anything else is read.
		const mayGoOn = isDone && !from.pending && this.mayGoOn(batch, clock.now() - begun);
		return mayGoOn ? 'goOn' : this.end();
	}

	private nothingNew(from: Progress<P>, { after, failure, isUnfinished }: Batch<P>): null | 'goOn' {
		if (failure) {
			if (!this.isUnsaved(from)) throw failure;
			this.warn(`${failure.message}. ${POSTPONED}`);
			this.save(from);
			return null;
		}
		if (from.pending && !isUnfinished) {
			// The service has none of the batch any more; what follows it is read as usual.
			this.deliveries.keep({ position: after, revision: from.revision + 1 });
			return 'goOn';
		}
		const to = { ...from, position: after };
		this.deliveries.keep(to);
		this.put(to);
		return null;
	}

	/** @returns Whether the batch is delivered already. */
	private async deliverAndWait(from: Progress<P>, batch: Batch<P>): Promise<boolean> {
		const { moveOn, clock, deadline } = this.settings;
		const { items, after, end } = batch;
		const delivery = this.deliveries.handOver(from, after, clock.now(), end);
		const { attempts } = delivery.progress.pending!;
		if (attempts > 1) this.warn(`delivers ${items.length} items again, attempt ${attempts}`);
		this.put(delivery.progress);
		const settled = startExecution(this.context, items).then((outcome) => {
			delivery.outcome = outcome;
		});
		if (!this.mustNotWait) {
			const patience = new AbortController();
			const left = Math.max(0, deadline - clock.now());
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
	 * takes it, so that a restart does not bring it again; else the next poll does.
	 */
	private settledLater(delivery: Delivery<P>): void {
		const key = triggerKey(this.context);
		const isOver = !polling.has(key) && this.deliveries.isOnItsWay(delivery);
		// A trigger that has started over since then has another position, which must not be replaced.
		const isCurrent = known.get(key) === (this.deliveries as unknown);
		if (!isOver || !isCurrent || storesSilentPolls(this.context)) return;
		if (isDelivered(delivery.outcome!, this.settings.moveOn)) this.end();
	}

	/** @param tookMs What the last batch took: the next one should end within this poll too. */
	private mayGoOn({ hasMore, failure }: Batch<P>, tookMs: number): boolean {
		const { deadline, clock } = this.settings;
		return hasMore && !failure && clock.now() + tookMs < deadline;
	}

	/** Ends a poll after a batch: stores that it is delivered, or complains that it failed. */
	private end(): null {
		const step = this.next();
		if (step.do === 'complain') throw this.complaint(step.attempts, step.pauseMs);
		if (step.do === 'read' && !step.progress.pending) this.save(step.progress);
		return null;
	}

	private isUnsaved({ revision }: Progress<P>): boolean {
		return (this.stored?.revision ?? 0) < revision;
	}

	private put(progress: Progress<P>): void {
		this.store.store(packProgress(progress));
	}

	/**
	 * Has n8n store a progress although there is nothing to hand over: in default mode it does so only
	 * with an execution, which is one without items.
	 */
	private save(progress: Progress<P>): void {
		this.put(progress);
		const isStored = this.settings.moveOn === 'handedOver' || storesSilentPolls(this.context);
		if (!isStored) void startExecution(this.context, []);
	}

	private complaint(attempts: number, pauseMs: number): NodeOperationError {
		const { moveOn, sizeOption } = this.settings;
		const verb = moveOn === 'succeeded' ? 'succeed' : 'finish';
		const message = `The workflow did not ${verb} with the same batch, ${attempts} times in a row`;
		const minutes = Math.round(pauseMs / 60_000);
		const description = `Nothing is skipped: the batch comes again after a pause, now ${minutes} min. The failed executions say why. If a single entry is the reason, a lower '${sizeOption}' makes the batch smaller.`;
		this.warn(`${message}. ${description}`);
		return new NodeOperationError(this.context.getNode(), message, {
			description,
			failure: { cause: 'temporarily-unavailable', retryAfterMs: pauseMs },
		});
	}

	private warn(text: string): void {
		this.context.logger.warn(`${this.context.getNode().name}: ${text}`);
	}
}

const POSTPONED = 'Everything read before that is delivered. The next poll continues from there.';
