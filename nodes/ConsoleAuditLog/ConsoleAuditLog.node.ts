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
import { errorItem, nodeFailure, resultItems } from '../shared/itemResult';
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
		const signal = this.getExecutionCancelSignal();
		let service: Service | undefined;
		for (let itemIndex = 0; itemIndex < items.length; itemIndex++) {
			try {
				// Within the loop: a credential that cannot be used is then an error of every item.
				service ??= await connectConsole(this, authentication);
				const operation = operations[this.getNodeParameter('operation', itemIndex) as string];
				const entries = await operation(this, service, { itemIndex, signal });
				output.push(...resultItems(entries, itemIndex));
			} catch (error) {
				const failure = nodeFailure(this, error, itemIndex);
				if (!this.continueOnFail()) {
					throw new NodeOperationError(this.getNode(), failure, { itemIndex });
				}
				output.push(errorItem(this, failure, itemIndex, {}));
			}
		}
		return [output];
	}
}
