import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { Answer, Call, CallContext } from '../../../transport/call';
import type { Clock } from '../../../transport/clock';
import type { QuoteOptions } from '../../../transport/errors/quoting';
import { addedText } from '../../../input/addedOption';
import { enteredBoolean, enteredText } from '../../../input/enteredValues';
import { queueDeadline } from '../../common/queueTime';
import type { ScanService } from '../../../services/scanning/scanService';
import type { RecentScans } from './common/recentScans';
import { scanIdText } from './common/scanId';
import type { Slot } from './taskPool';

/** What an error says of an option that was not usable. */
export const NOTHING_SENT = 'Nothing was sent for this item.';

/** What all items of one execution share. */
export interface Run {
	context: IExecuteFunctions;
	scans: ScanService;
	recentScans: RecentScans;
	clock: Clock;
}

/** The `json` of the item, or of each item, that comes of an operation. */
export type OperationResult = IDataObject | IDataObject[];

export type Operation = (item: ItemRun) => Promise<OperationResult>;

/** An input item, or one file of it, on its way through an operation. */
export interface Task {
	itemIndex: number;
	/** Where several files of the item are scanned: the binary field of this one. */
	binaryField?: string;
}

export class ItemRun {
	/** What is known of the scan and must survive an error. */
	known: { scanId?: string | null; submittedId?: string; verdict?: string | null } = {};

	/** The ID in the scan field, once it was read. */
	enteredId?: string;

	/** Whether a call was answered that changed something at the service, as far as its answer says. */
	mutated: boolean | 'unclear' = false;

	/** Why the item goes on without a verdict. */
	noVerdict?: 'notWaited' | 'timedOut';

	/** How many scans more the service has counted than its list has shown. */
	unlisted?: number;

	/** What must appear in no error of the item: a file's password, headers for a callback. */
	secrets: string[] = [];

	/** Fields of the input item that go on with its result, or its error. */
	carried: IDataObject = {};

	readonly context: IExecuteFunctions;
	readonly scans: ScanService;
	readonly recentScans: RecentScans;
	readonly clock: Clock;
	readonly itemIndex: number;

	private readOptions?: IDataObject;

	constructor(
		run: Run,
		readonly task: Task,
		private readonly slot: Slot,
	) {
		this.context = run.context;
		this.scans = run.scans;
		this.recentScans = run.recentScans;
		this.clock = run.clock;
		this.itemIndex = task.itemIndex;
	}

	/** Ends the item's waiting. */
	get signal(): AbortSignal {
		return this.slot.signal;
	}

	/** Lets the next item begin: this one only waits from here on. */
	releaseSlot(): void {
		this.slot.release();
	}

	parameter(name: string, fallback?: unknown): unknown {
		return this.context.getNodeParameter(name, this.itemIndex, fallback);
	}

	/** A parameter as text without surrounding spaces. @throws UserError for what is no text. */
	text(name: string, label: string): string {
		return enteredText(this.parameter(name, ''), label).trim();
	}

	/** Read once: n8n works out all of them anew at every reading. */
	get options(): IDataObject {
		return (this.readOptions ??= this.parameter('options', {}) as IDataObject);
	}

	/** An option in the same way; `undefined` where it is empty. */
	option(name: string, label: string): string | undefined {
		return enteredText(this.options[name], label).trim() || undefined;
	}

	/** The same of one that the item must not go without, if it was added. @throws UserError if it is empty. */
	addedOption(name: string, label: string): string | undefined {
		return addedText(this.options, name, label, NOTHING_SENT);
	}

	/** Whether an option that is off by default is on. @throws UserError for what is no boolean. */
	isOn(name: string, label: string): boolean {
		const { [name]: value } = { [name]: false, ...this.options };
		return enteredBoolean(value, label);
	}

	get simplify(): boolean {
		return enteredBoolean(this.parameter('simplify', true), 'Simplify');
	}

	/** The id in the scan field. @throws UserError when it is none. */
	get scanId(): string {
		return (this.enteredId = scanIdText(this.parameter('scanId', '')));
	}

	callContext(): CallContext {
		const deadline = queueDeadline(this.options, this.clock);
		const { itemIndex, secrets, signal } = this;
		return { itemIndex, deadline, signal, secrets };
	}

	/** What the service said, as an error may quote it. */
	async quoted(text: string, options?: QuoteOptions): Promise<string> {
		return await this.scans.quoted(text, this.secrets, options);
	}

	/** Sends a call; one that changes something counts as done once it was answered. */
	async send(call: Call): Promise<Answer> {
		const answer = await this.scans.service.send(call, this.callContext());
		if (!call.idempotent) this.mutated = true;
		return answer;
	}
}
