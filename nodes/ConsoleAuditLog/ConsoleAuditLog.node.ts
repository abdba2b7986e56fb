import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import { actionFields } from './actions/actionFields';
import { consoleCredentials } from './consoleFields';

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
		const { executeItems } = await import('./actions/executeItems');
		return [await executeItems(this)];
	}
}
