import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import type { StoredProgress } from '../../../../nodes/common/polling/nodeStore';
import { NodeStore } from '../../../../nodes/common/polling/nodeStore';

export const SCOPE = 'console';

/** As n8n watches what is a part of the workflow's data. */
export function watched(data: IDataObject): IDataObject {
	return Object.defineProperty(data, '__dataChanged', { value: false, configurable: true });
}

/** The static data of a workflow in n8n's default mode, which keeps a node's under its name. */
export class Workflow {
	private static count = 0;

	constructor(
		readonly data: Record<string, IDataObject> = {},
		private readonly id = `workflow ${Workflow.count++}`,
	) {}

	/** As n8n reads it from its database, for triggers that are published later than the others. */
	copy(): Workflow {
		return new Workflow(JSON.parse(JSON.stringify(this.data)) as typeof this.data, this.id);
	}

	trigger(id: string, name: string, budgetMs = 300_000): NodeStore {
		return new NodeStore({
			getNode: () => ({ id, name }),
			getWorkflow: () => ({ id: this.id }),
			getPollBudgetMs: () => budgetMs,
			getWorkflowStaticData: (type: string) => {
				const data = (this.data[type === 'node' ? name : type] ??= {});
				return budgetMs < 300_000 ? data : watched(data);
			},
		} as unknown as IPollFunctions);
	}
}

export const at = (read: number, revision = read) => ({
	position: { scope: SCOPE, read },
	revision,
});

export const longAt = (read: number) => {
	const position = { scope: SCOPE, read, seen: 'x'.repeat(10_000) };
	return { position, revision: read };
};

/** Two triggers, of which B was published again: n8n gives it other data, and each emits in turn. */
export function publishedApart(position: typeof at) {
	const published = new Workflow();
	published.trigger('a', 'A').storeWithExecution(position(1));
	published.trigger('b', 'B').storeWithExecution(position(1));
	const later = published.copy();
	later.trigger('b', 'B').storeWithExecution(position(2));
	published.trigger('a', 'A').storeWithExecution(position(3));
	later.trigger('b', 'B').storeWithExecution(position(4));
	return { published, later };
}

export const readOf = ({ value }: StoredProgress) => (value as { read?: number } | undefined)?.read;
