import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { Answer, Call, CallContext } from '../../../transport/call';
import type { Clock } from '../../../transport/clock';
import { enteredText } from '../../../input/enteredText';
import { queueDeadline } from '../../../input/queueTime';
import { executionOptions } from './common/executionOptions';
import type { Place } from './itemPool';
import { scanIdText } from './common/scanId';
import type { ScanService } from '../../../services/scanning/scanService';
import type { VerdictWatch } from '../verdict/verdictWatch';

/** What all items of one execution share. */
export interface Run {
	context: IExecuteFunctions;
	scans: ScanService;
	watch: VerdictWatch;
	clock: Clock;
}

/** One operation on one item: the `json` of each item that comes of it. */
export type Operation = (item: ItemRun) => Promise<IDataObject[]>;

/** One input item on its way through an operation. */
export class ItemRun {
	/** What must survive an error: the id of a scan that was submitted. */
	known: IDataObject = {};

	private readOptions?: IDataObject;

	/** Whether a call with an effect was carried out for this item. */
	carriedOut = false;

	constructor(
		private readonly run: Run,
		readonly itemIndex: number,
		private readonly place: Place,
	) {}

	get context(): IExecuteFunctions {
		return this.run.context;
	}

	get scans(): ScanService {
		return this.run.scans;
	}

	get watch(): VerdictWatch {
		return this.run.watch;
	}

	get clock(): Clock {
		return this.run.clock;
	}

	/** Ends the item's waiting. */
	get signal(): AbortSignal {
		return this.place.signal;
	}

	/** Lets the next item begin: this one only waits from here on. */
	makeRoom(): void {
		this.place.release();
	}

	parameter(name: string, fallback?: unknown): unknown {
		return this.context.getNodeParameter(name, this.itemIndex, fallback);
	}

	/**
	 * A parameter as text without surrounding spaces.
	 * @param label Its display name.
	 * @throws UserError for an object or a list, which an expression may give.
	 */
	text(name: string, label: string): string {
		return enteredText(this.parameter(name, ''), label).trim();
	}

	/** Read once: n8n works out all of them anew at every reading. */
	get options(): IDataObject {
		return (this.readOptions ??= executionOptions(this.context, this.itemIndex));
	}

	/**
	 * An option as text without surrounding spaces, `undefined` when there is none.
	 * @param label Its display name.
	 * @throws UserError for an object or a list.
	 */
	option(name: string, label: string): string | undefined {
		return enteredText(this.options[name], label).trim() || undefined;
	}

	/** The id in the scan field. @throws UserError when it is none. */
	get scanId(): string {
		return scanIdText(this.parameter('scanId', ''));
	}

	callContext(): CallContext {
		const deadline = queueDeadline(this.options, this.clock);
		return { itemIndex: this.itemIndex, deadline, signal: this.place.signal };
	}

	/** Sends a call; one with an effect counts as carried out once it was answered. */
	async send(call: Call): Promise<Answer> {
		const answer = await this.scans.service.send(call, this.callContext());
		if (!call.idempotent) this.carriedOut = true;
		return answer;
	}
}
