import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';
import { NodeConnectionTypes, NodeOperationError } from 'n8n-workflow';
import type { CallContext, Service } from '../transport/call';
import { actionFields } from './actionFields';
import { consoleCredentials } from './consoleFields';
import { connectConsole } from './consoleService';
import type { ConsoleAuthentication } from './consoleService';
import { getManyEntries } from './getManyEntries';
import { getOneEntry } from './getOneEntry';

type Operation = (
	context: IExecuteFunctions,
	service: Service,
	callContext: CallContext & { itemIndex: number },
) => Promise<IDataObject[]>;

const operations: Record<string, Operation> = { get: getOneEntry, getAll: getManyEntries };

export class ConsoleAuditLog implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Console Audit Log',
		name: 'consoleAuditLog',
		icon: { light: 'file:../../icons/console.svg', dark: 'file:../../icons/console.dark.svg' },
		group: ['input'],
		version: 1,
		subtitle: '={{ $parameter["operation"] === "get" ? "Get entry" : "Get many entries" }}',
		description: 'Read the admin audit log of the browser security console',
		defaults: { name: 'Console Audit Log' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: consoleCredentials,
		properties: actionFields,
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const items = this.getInputData();
		const output: INodeExecutionData[] = [];
		const authentication = this.getNodeParameter('authentication', 0) as ConsoleAuthentication;
		const service = await connectConsole(this, authentication);
		for (let itemIndex = 0; itemIndex < items.length; itemIndex++) {
			try {
				const operation = operations[this.getNodeParameter('operation', itemIndex) as string];
				const signal = this.getExecutionCancelSignal();
				const entries = await operation(this, service, { itemIndex, signal });
				for (const json of entries) output.push({ json, pairedItem: { item: itemIndex } });
			} catch (error) {
				if (!this.continueOnFail()) {
					throw new NodeOperationError(this.getNode(), error as Error, { itemIndex });
				}
				output.push({
					json: { error: (error as Error).message },
					error: new NodeOperationError(this.getNode(), error as Error, { itemIndex }),
					pairedItem: { item: itemIndex },
				});
			}
		}
		return [output];
	}
}
