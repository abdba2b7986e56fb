import type {
	IBinaryData,
	IDataObject,
	IExecuteFunctions,
	INode,
	NodeExecutionHint,
} from 'n8n-workflow';
import { node } from './fakeService';

export interface FakeInput {
	/** Collects the execution hints. */
	hints?: NodeExecutionHint[];
	/** Parameters of every item, or a function of the item's index. */
	parameters: Record<string, unknown> | ((itemIndex: number) => Record<string, unknown>);
	items?: number;
	/** Fields of every input item. */
	json?: IDataObject;
	/** Whether an AI agent calls the node, as n8n from 2.x on says it. */
	isTool?: boolean;
	/** That of the node; an agent's tool has one of its own. */
	nodeType?: string;
	onError?: INode['onError'];
	binary?: Record<string, Partial<IBinaryData>>;
	/** Stored files by id: their content, or only a size for files too large to exist. */
	stored?: Record<string, Buffer | number>;
	signal?: AbortSignal;
	/** Whether the binary storage never answers. */
	storageIsSilent?: boolean;
}

/** As n8n: it works out all of a collection that it is asked for, or the one option behind a dot. */
function valueAt(parameters: Record<string, unknown>, name: string): unknown {
	const [first, option] = name.split('.');
	const { [first]: value } = parameters;
	if (option !== undefined) return (value as Record<string, unknown> | undefined)?.[option];
	const isCollection = typeof value === 'object' && value !== null;
	return isCollection && Object.getPrototypeOf(value) === Object.prototype ? { ...value } : value;
}

/** As much of n8n's execute context as the operations use. */
export function fakeContext(input: FakeInput): IExecuteFunctions {
	const parametersOf = (itemIndex: number): Record<string, unknown> =>
		typeof input.parameters === 'function' ? input.parameters(itemIndex) : input.parameters;
	const context = {
		getInputData: () =>
			Array.from({ length: input.items ?? 1 }, () => ({
				json: input.json ?? {},
				...(input.binary && { binary: input.binary }),
			})),
		isToolExecution: () => input.isTool ?? false,
		getNode: () => ({ ...node, type: input.nodeType ?? node.type, onError: input.onError }),
		continueOnFail: () => (input.onError ?? 'stopWorkflow') !== 'stopWorkflow',
		getTimezone: () => 'Europe/Berlin',
		getExecutionCancelSignal: () => input.signal,
		addExecutionHints: (...hints: NodeExecutionHint[]) => input.hints?.push(...hints),
		getNodeParameter: (name: string, itemIndex: number, fallback?: unknown) => {
			const { value = fallback } = { value: valueAt(parametersOf(itemIndex), name) };
			if (value === undefined) throw new Error(`Could not get parameter "${name}"`);
			return value;
		},
		helpers: {
			getBinaryMetadata: async (id: string) => {
				if (input.storageIsSilent) return await new Promise(() => {});
				const stored = input.stored?.[id];
				if (stored === undefined) throw new Error('ENOENT: no such file');
				return { fileSize: typeof stored === 'number' ? stored : stored?.length };
			},
			getBinaryStream: async (id: string) => [input.stored?.[id]],
		},
	};
	return context as unknown as IExecuteFunctions;
}
