import type { Readable } from 'node:stream';
import type { IBinaryData, INodeExecutionData } from 'n8n-workflow';
import { engine, intoEngine } from './engine.cts';

/** Where n8n keeps binary data: files in a temporary folder (n8n's default), or the items themselves. */
export type BinaryMode = 'filesystem' | 'memory';

/** A file of an input item. */
export interface InputFile {
	content: Buffer | string | Readable;
	fileName?: string;
	mimeType?: string;
}

/** An item as a test writes it; a bare object of fields is taken as its `json`. */
export interface InputItem {
	json: Record<string, unknown>;
	binary?: Record<string, InputFile>;
}

/** Sets n8n's own BinaryDataService up. It serves the whole process, one mode at a time. */
export async function useBinaryMode(mode: BinaryMode): Promise<void> {
	const { core, container } = engine();
	container.get(core.BinaryDataConfig).mode = mode === 'memory' ? 'default' : 'filesystem';
	await container.get(core.BinaryDataService).init();
}

/** Stores the files of the items as n8n does and gives the items a node receives. */
export async function toExecutionItems(
	items: InputItem[],
	workflowId: string,
	executionId: string,
): Promise<INodeExecutionData[]> {
	const { core, container } = engine();
	const service = container.get(core.BinaryDataService);
	const location = { type: 'execution' as const, workflowId, executionId };
	const result: INodeExecutionData[] = [];
	for (const item of items) {
		const entry = intoEngine({ json: item.json }) as INodeExecutionData;
		for (const [name, file] of Object.entries(item.binary ?? {})) {
			const content = typeof file.content === 'string' ? Buffer.from(file.content) : file.content;
			const description = intoEngine({
				data: '',
				mimeType: file.mimeType ?? 'application/octet-stream',
				...(file.fileName ? { fileName: file.fileName } : {}),
			}) as IBinaryData;
			(entry.binary ??= {})[name] = await service.store(location, content, description);
		}
		result.push(entry);
	}
	return result;
}

/** The content of a file in an output item. */
export async function readBinary(file: IBinaryData): Promise<Buffer> {
	const { core, container } = engine();
	return await container.get(core.BinaryDataService).getAsBuffer(intoEngine(file));
}
