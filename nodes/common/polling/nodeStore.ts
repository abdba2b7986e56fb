import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { isRecord } from '../../../transport/isRecord';
import { contextNode } from '../../../transport/contextNode';
import { hasDurableCursor, isPartOfWorkflow, triggerKey } from './pollHost';
import type { Progress } from './progress';
import { nodeOf, packProgress, revisionOf } from './progress';

/** A longer position, in characters of JSON, does not stand twice in the data of one trigger. */
const LONGEST_COPY = 7000;

/** What n8n has stored of a trigger. */
export interface StoredProgress {
	value?: unknown;
	/** Where the position is out of reach: the name under which n8n keeps it. */
	formerName?: string;
}

/** What stands in the workflow's own data under a node's ID. */
interface Copy {
	scope: unknown;
	revision: number;
	/** The name under which n8n keeps the node's own data. */
	name: string;
	/** Left out where it is long: then it stands under the name only. */
	progress?: unknown;
	/**
	 * Only its own node goes on from it: another one has stored under the name since, or the node was
	 * renamed and asks for that name.
	 */
	isReserved?: boolean;
	/** With durable cursors n8n keeps the position under the ID: this only says that the node lives. */
	isSpent?: boolean;
}

/** A trigger of this process that n8n runs in default mode, and what it stored last. */
interface Sibling {
	workflowId: string | undefined;
	/** The copy of the workflow's data that it stores with. */
	ofWorkflow: IDataObject;
	nodeId: string;
	name: string;
	progress: unknown;
	/** Of the store that noted the rest; a later store has a larger one. */
	storeNumber: number;
}

/** Stores of this process. */
let stores = 0;

/** By `triggerKey`. */
const siblings = new Map<string, Sibling>();

/**
 * What n8n stores for a trigger: one value under one key, since n8n notices nothing below that.
 *
 * In default mode n8n keeps a node's data under its name, and finds nothing under a new one. With
 * durable cursors it goes by the node's ID, but keeps nothing of a silent poll at activation. It keeps
 * the workflow's own data in both cases: a copy stands there, under the node's ID. In the place of a
 * long one stands only the name to look under.
 *
 * In default mode n8n stores the data of all nodes at once, and triggers that were not published
 * together each do so with a copy of their own, in which the others stand still: so a trigger writes
 * where it is into the copies of the others too.
 */
export class NodeStore {
	/** What n8n keeps for the node. */
	readonly own: IDataObject;
	private readonly ofWorkflow: IDataObject;
	private readonly nodeId: string;
	private readonly name: string;
	private readonly workflowId: string | undefined;
	private readonly key: string;
	private readonly storeNumber = ++stores;
	/** Whether n8n keeps what is stored under the node's ID. */
	readonly keepsId: boolean;
	/** Whether n8n keeps it under the name: not where it has, or once had, a cursor under the ID. */
	private readonly needsCopy: boolean;
	/** Of whatever is stored, also of another scope; -1 if nothing is. A start goes on from it. */
	readonly lastRevision: number;

	constructor(context: IPollFunctions) {
		this.own = context.getWorkflowStaticData('node');
		this.ofWorkflow = context.getWorkflowStaticData('global');
		({ id: this.nodeId, name: this.name } = contextNode(context));
		this.workflowId = context.getWorkflow().id;
		this.key = triggerKey(context);
		this.keepsId = hasDurableCursor(context);
		this.needsCopy = isPartOfWorkflow(this.own);
		const { revision = -1 } = this.copyOf(this.nodeId) ?? {};
		this.lastRevision = Math.max(revision, revisionOf(this.own.pollState));
	}

	/** Whichever is newer; what stands under the name may be of a node that bore it before. */
	stored(scope: string): StoredProgress {
		const found = this.find(scope);
		this.note(found.value);
		this.takeOverSiblings();
		return found;
	}

	private find(scope: string): StoredProgress {
		const own = this.own.pollState;
		const copy = this.copyOf(this.nodeId);
		if (copy?.scope !== scope || copy.isSpent) return { value: this.inherited(own, scope) };
		if (this.isUpToDate(copy)) return { value: own };
		if (copy.progress !== undefined) return { value: unwatched(copy.progress) };
		// A long one stands under the name only, and `store` lets no other node write over it.
		return copy.name === this.name ? { value: own } : { formerName: copy.name };
	}

	/** Whether what n8n keeps for the node itself is its own, and not older than the copy. */
	private isUpToDate({ scope, revision }: Copy): boolean {
		const own = this.own.pollState;
		const isMine = nodeOf(own) === this.nodeId && scopeOf(own) === scope;
		return isMine && revisionOf(own) >= revision;
	}

	/**
	 * What a node without a copy of its own continues, as when it is pasted anew: the newest position of
	 * the node that bore its name last, and no older one. With durable cursors n8n goes by the ID.
	 * Under the name may stand something old, or nothing, where n8n stored for another trigger last: the
	 * copies know better.
	 */
	private inherited(own: unknown, scope: string): unknown {
		const node = nodeOf(own);
		if (own !== undefined && (node === undefined || node === this.nodeId)) return own;
		if (!this.needsCopy) return undefined;
		const copies = this.copiesUnderName(this.ofWorkflow);
		const free = copies.filter(({ copy }) => !copy.isReserved);
		const isOfLast = this.copyOf(node)
			? free.some(({ key }) => key === copyKey(node))
			: copies.every(({ copy }) => copy.revision <= revisionOf(own));
		const left = isOfLast ? own : undefined;
		const newest = free[0]?.copy;
		const position = newest?.revision > revisionOf(left) ? newest.progress : left;
		return scopeOf(position) === scope ? unwatched(position) : undefined;
	}

	/** The copies that other nodes left under this node's name, the newest first. */
	private copiesUnderName(ofWorkflow: IDataObject): Array<{ key: string; copy: Copy }> {
		return Object.entries(ofWorkflow)
			.filter(([key]) => key.startsWith(copyKey('')) && key !== copyKey(this.nodeId))
			.flatMap(([key, copy]) => (isCopy(copy) ? { key, copy } : []))
			.filter(({ copy }) => copy.name === this.name && !copy.isSpent)
			.sort((one, other) => other.copy.revision - one.copy.revision);
	}

	/** The position is out of reach: whoever bears the former name now is another trigger. */
	claimFormerName(): void {
		const copy = this.copyOf(this.nodeId);
		if (copy) this.ofWorkflow[copyKey(this.nodeId)] = { ...copy, isReserved: true };
	}

	/** One assignment: n8n stores all of it or nothing. */
	store(progress: Progress<object>): void {
		this.keepOther();
		this.takeName(this.ofWorkflow);
		this.takeBack();
		const packed = packProgress(progress, this.nodeId);
		this.own.pollState = packed as IDataObject;
		this.note(packed);
	}

	/** Where a silent poll at activation starts. */
	storeStart(progress: Progress<object>): void {
		this.store(progress);
		this.storeCopy(progress);
	}

	/** What n8n stores with an execution, to be found under a new name too. */
	storeWithExecution(progress: Progress<object>): void {
		this.store(progress);
		if (this.needsCopy) this.storeCopy(progress);
	}

	/** Stores under the name of now what n8n keeps under a former one. @returns whether it does. */
	storeUnderNewName(progress: Progress<object>): boolean {
		const name = this.copyOf(this.nodeId)?.name ?? this.name;
		if (!this.needsCopy || name === this.name) return false;
		this.storeWithExecution(progress);
		return true;
	}

	private storeCopy(progress: Progress<object>): void {
		// An execution may end long after its poll: n8n then stores with a copy from before.
		this.takeOverSiblings();
		const packed = packProgress(progress, this.nodeId);
		// Under the name stands nothing yet where n8n goes by the ID.
		const isFull = !this.needsCopy || JSON.stringify(packed).length <= LONGEST_COPY;
		this.writeCopy(this.ofWorkflow, this.nodeId, this.name, packed, isFull);
		if (this.keepsId) return;
		for (const { ofWorkflow } of this.siblings) {
			this.writeCopy(ofWorkflow, this.nodeId, this.name, packed, true);
			this.takeName(ofWorkflow);
		}
	}

	/**
	 * From now on this node is the last one under the name. What the one before left stays for itself: it
	 * may have been renamed, and has yet to poll. What was left before that goes, or each deployment
	 * would make the data longer.
	 */
	private takeName(ofWorkflow: IDataObject): void {
		const copies = this.copiesUnderName(ofWorkflow);
		if (copies.every(({ copy }) => copy.isReserved)) return;
		for (const { key, copy } of copies) {
			if (!copy.isReserved) {
				ofWorkflow[key] = unwatched({ ...copy, isReserved: true });
				continue;
			}
			delete ofWorkflow[key];
			// It would be written again from there.
			for (const [sibling, { workflowId, nodeId }] of siblings) {
				if (workflowId === this.workflowId && copyKey(nodeId) === key) siblings.delete(sibling);
			}
		}
	}

	/** Replaced before, or under another name, it is the last one under this name again. */
	private takeBack(): void {
		const copy = this.copyOf(this.nodeId);
		if (!copy?.isReserved || copy.name !== this.name) return;
		this.ofWorkflow[copyKey(this.nodeId)] = unwatched({ ...copy, isReserved: undefined });
	}

	/** Before the name is taken over: the long position of a node that bore it stands nowhere else. */
	private keepOther(): void {
		const own = this.own.pollState;
		const other = this.otherNodeOf(own);
		if (other && other.progress === undefined && other.name === this.name) {
			this.writeCopy(this.ofWorkflow, String(nodeOf(own)), this.name, own, true);
		}
	}

	/** The other triggers of the workflow that store with a copy of their own. */
	private get siblings(): Sibling[] {
		const { workflowId, ofWorkflow } = this;
		return [...siblings.values()].filter(
			(other) => other.workflowId === workflowId && other.ofWorkflow !== ofWorkflow,
		);
	}

	/** What they stored before they knew of this copy. */
	private takeOverSiblings(): void {
		if (this.keepsId) return;
		for (const { nodeId, name, progress } of this.siblings) {
			if (progress === undefined || nodeId === this.nodeId) continue;
			const copy = this.copyOf(nodeId);
			const isItsCopy =
				copy !== undefined && copy.scope === scopeOf(progress) && copy.name === name;
			if (isItsCopy && copy.revision >= revisionOf(progress)) continue;
			this.writeCopy(this.ofWorkflow, nodeId, name, progress, true);
		}
	}

	private note(progress: unknown): void {
		if (this.keepsId) return;
		const { workflowId, ofWorkflow, nodeId, name, storeNumber } = this;
		const noted = siblings.get(this.key);
		// A poll may end after the trigger was published again, which counts from then on.
		const isOld = noted !== undefined && noted.storeNumber > storeNumber;
		const sibling = isOld ? noted : { workflowId, ofWorkflow, nodeId, name, storeNumber };
		siblings.set(this.key, { ...sibling, progress });
	}

	/** The copy of the node that stored it, if that is another one. */
	private otherNodeOf(own: unknown): Copy | undefined {
		const node = nodeOf(own);
		return node === this.nodeId ? undefined : this.copyOf(node);
	}

	private copyOf(nodeId: unknown, ofWorkflow = this.ofWorkflow): Copy | undefined {
		const copy: unknown = ofWorkflow[copyKey(nodeId)];
		return isCopy(copy) ? copy : undefined;
	}

	private writeCopy(
		ofWorkflow: IDataObject,
		nodeId: string,
		name: string,
		progress: unknown,
		isFull: boolean,
	): void {
		const before = this.copyOf(nodeId, ofWorkflow);
		const isReserved = nodeId !== this.nodeId && before?.name === name && before.isReserved;
		const copy: Copy = {
			scope: scopeOf(progress),
			revision: revisionOf(progress),
			name,
			...(isFull && { progress }),
			...(isReserved && { isReserved }),
		};
		ofWorkflow[copyKey(nodeId)] = unwatched(copy);
	}

	/**
	 * Drops a copy of another scope, so that the trigger does not go back to it, and what of one is not
	 * needed. Touches nothing where there is nothing: n8n stores what was touched.
	 */
	dropCopy(scope: string): void {
		const copy = this.copyOf(this.nodeId);
		if (!copy || copy.isSpent) return;
		const key = copyKey(this.nodeId);
		if (copy.scope !== scope) delete this.ofWorkflow[key];
		else if (this.keepsId && this.isUpToDate(copy)) {
			const { revision } = copy;
			this.ofWorkflow[key] = { scope, revision, name: this.name, isSpent: true };
		}
	}
}

function copyKey(nodeId: unknown): string {
	return `position of ${String(nodeId)}`;
}

/** A Code node may have written something else there. */
function isCopy(value: unknown): value is Copy {
	return isRecord(value) && typeof value.revision === 'number';
}

/** n8n watches what it gives out of static data, and stores no watched value in another place. */
function unwatched(value: unknown): IDataObject {
	return JSON.parse(JSON.stringify(value)) as IDataObject;
}

function scopeOf(stored: unknown): unknown {
	return isRecord(stored) ? stored.scope : undefined;
}
