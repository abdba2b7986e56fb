import type { IDataObject } from 'n8n-workflow';
import { asStored } from './engine.cts';

/** How n8n keeps the state of polls: `default`, or `durable` with N8N_POLLER_DURABLE_CURSORS_ENABLED. */
export type PersistenceMode = 'default' | 'durable';

/** The rows of n8n's database that survive a restart. */
export interface PollDatabaseContent {
	/** The column `staticData` of the workflow: the whole of it is written at once. */
	staticData: IDataObject;
	/** The table `poller_state`, by node id (durable mode). */
	cursors: Record<string, IDataObject>;
	/** The node ids that have a scheduled job (durable mode). */
	jobs: string[];
}

/** n8n's database as far as polls are concerned. What goes in is copied, as JSON. */
export class PollDatabase {
	private content: PollDatabaseContent = { staticData: {}, cursors: {}, jobs: [] };

	private largest = 0;

	/** The largest state that was ever written, in bytes of JSON. */
	get largestStateBytes(): number {
		return this.largest;
	}

	snapshot(): PollDatabaseContent {
		return asStored(this.content);
	}

	rewind(snapshot: PollDatabaseContent): void {
		this.content = { ...asStored(snapshot), jobs: this.content.jobs };
	}

	readStaticData(): IDataObject {
		return asStored(this.content.staticData);
	}

	writeStaticData(staticData: IDataObject): void {
		this.content.staticData = asStored(staticData);
		// With what stands in the workflow's own data.
		this.measure(this.content.staticData);
	}

	readCursor(nodeId: string): IDataObject | undefined {
		const cursor = this.content.cursors[nodeId];
		return cursor && asStored(cursor);
	}

	writeCursor(nodeId: string, cursor: IDataObject): void {
		this.content.cursors[nodeId] = asStored(cursor);
		this.measure(cursor);
	}

	/** @returns whether there was none before. */
	insertJob(nodeId: string): boolean {
		if (this.content.jobs.includes(nodeId)) return false;
		this.content.jobs.push(nodeId);
		return true;
	}

	removeJob(nodeId: string): void {
		this.content.jobs = this.content.jobs.filter((id) => id !== nodeId);
	}

	private measure(state: unknown): void {
		this.largest = Math.max(this.largest, Buffer.byteLength(JSON.stringify(state)));
	}
}
