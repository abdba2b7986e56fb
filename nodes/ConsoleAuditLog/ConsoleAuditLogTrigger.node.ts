import type {
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
	IPollFunctions,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import { consoleCredentials } from './consoleFields';
import { triggerFields } from './trigger/triggerFields';

export class ConsoleAuditLogTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Console Audit Log Trigger',
		name: 'consoleAuditLogTrigger',
		icon: { light: 'file:../../icons/console.svg', dark: 'file:../../icons/console.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle:
			'={{ ({ now: "From now", oldest: "From the oldest entry", date: "From a date" })[$parameter["startFrom"]] }}',
		description:
			'Read the admin audit log of the browser security console, or start the workflow when new entries appear',
		defaults: { name: 'Console Audit Log Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: consoleCredentials,
		eventTriggerDescription: 'Waiting for new audit log entries',
		activationMessage:
			'New audit log entries will start this workflow, the first of them in a minute or two.',
		triggerPanel: {
			header: 'Fetch the newest audit log entries',
			executionsHelp: {
				inactive:
					'<b>While you build</b>, Fetch Test Event shows the ten newest entries and changes nothing.<br /><br /><b>Once the workflow is published</b>, each poll that finds new entries starts one execution with all of them. Look for it in the executions list.',
				active:
					'<b>While you build</b>, Fetch Test Event shows the ten newest entries and changes nothing.<br /><br /><b>Your workflow is published</b>: each poll that finds new entries starts one execution with all of them. Look for it in the executions list.',
			},
			activationHint: 'Publish the workflow to receive new entries.',
		},
		properties: triggerFields,
	};

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		const { pollAuditLog } = await import('./trigger/auditLogPoll');
		return await pollAuditLog(this);
	}
}
