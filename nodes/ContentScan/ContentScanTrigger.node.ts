import type {
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
	IPollFunctions,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import { feedFields } from './trigger/feedFields';

export class ContentScanTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Content Scan Trigger',
		name: 'contentScanTrigger',
		icon: {
			light: 'file:../../icons/contentScan.svg',
			dark: 'file:../../icons/contentScan.dark.svg',
		},
		group: ['trigger'],
		version: 1,
		subtitle:
			'={{ !$parameter["verdicts"].length ? "all verdicts" : $parameter["verdicts"][0] + ($parameter["verdicts"].length > 1 ? " and " + ($parameter["verdicts"].length - 1) + " more" : "") }}',
		description:
			'Scan a file or URL, or start the workflow when any scan finishes with a verdict that you select',
		defaults: { name: 'Content Scan Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'contentScanApi', required: true }],
		eventTriggerDescription: 'Waiting for scans with these verdicts',
		activationMessage:
			'Scans that finish with a verdict you selected will start this workflow, a minute or two later.',
		triggerPanel: {
			header: 'Fetch up to ten recent scans with these verdicts',
			executionsHelp: {
				inactive:
					'<b>While you build</b>, Fetch Test Event shows the ten newest finished scans with these verdicts and changes nothing.<br /><br /><b>Once the workflow is published</b>, each poll that finds newly finished scans with these verdicts starts one execution, with one item per scan. Look for it in the executions list.',
				active:
					'<b>While you build</b>, Fetch Test Event shows the ten newest finished scans with these verdicts and changes nothing.<br /><br /><b>Your workflow is published</b>: each poll that finds newly finished scans with these verdicts starts one execution, with one item per scan. Look for it in the executions list.',
			},
			activationHint: 'Publish the workflow to receive new scans.',
		},
		properties: feedFields,
	};

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		const { pollScanFeed } = await import('./trigger/scanFeedPoll');
		return await pollScanFeed(this);
	}
}
