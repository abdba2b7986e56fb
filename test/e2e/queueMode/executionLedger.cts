import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'flatted';
import type { ExecutionStatus } from 'n8n-workflow';
import { handedOver } from '../triggerInN8n/executionRows.cts';
import type { PostgresServer } from './postgresServer.cts';

const LOOK_EVERY_MS = 500;

interface Row {
	id: number;
	status: ExecutionStatus;
	data: string | null;
}

/** What is known of an execution. */
export interface KnownExecution {
	status: ExecutionStatus;
	/** Ids of the entries that the trigger handed over to it, as its row had them at first. */
	handedOver: string[];
	/** Ids of the entries that its row holds now. */
	kept: string[];
}

/**
 * Follows the executions of a workflow in n8n's database, from their first rows on: what n8n hands to
 * an execution is told apart from what it keeps of it.
 */
export class ExecutionLedger {
	private readonly known = new Map<number, KnownExecution>();

	constructor(
		private readonly database: PostgresServer,
		private readonly workflowId: string,
		private readonly triggerName: string,
	) {}

	/** Follows until the signal aborts. */
	async follow(signal: AbortSignal): Promise<void> {
		while (!signal.aborted) {
			await this.look();
			await sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => {});
		}
	}

	/** All executions as they stand now, by their id. */
	async look(): Promise<ReadonlyMap<number, KnownExecution>> {
		const rows = await this.database.query<Row>(
			`SELECT row.id, row.status, content.data FROM execution_entity AS row
				LEFT JOIN execution_data AS content ON content."executionId" = row.id
				WHERE row."workflowId" = '${this.workflowId}' ORDER BY row.id`,
		);
		for (const { id, status, data } of rows) {
			const entries = data ? handedOver(parse(data), this.triggerName) : [];
			const kept = entries.map(({ auditlogId }) => String(auditlogId));
			const first = this.known.get(id)?.handedOver ?? [];
			this.known.set(id, { status, kept, handedOver: first.length > 0 ? first : kept });
		}
		return this.known;
	}
}
