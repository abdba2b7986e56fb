import type {
	IExecuteFunctions,
	ILoadOptionsFunctions,
	INodeExecutionData,
	INodeListSearchResult,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import { contentScanFields } from './actions/fields/contentScanFields';

export class ContentScan implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Content Scan',
		name: 'contentScan',
		icon: {
			light: 'file:../../icons/contentScan.svg',
			dark: 'file:../../icons/contentScan.dark.svg',
		},
		group: ['transform'],
		version: 1,
		subtitle:
			'={{ ({ scanFile: "Scan file", scanUrl: "Scan URL", get: "Get scan", getAll: "Get many scans", changeVerdict: "Change verdict", requestInvestigation: "Request investigation", release: "Release email" })[$parameter["operation"]] + (["scanFile", "scanUrl"].includes($parameter["operation"]) ? ($parameter["waitForVerdict"] === false ? ", without waiting" : ", wait for verdict") : "") }}',
		description:
			'Scan files and URLs for malware and phishing, read and change verdicts, request investigations, and release emails from quarantine',
		defaults: { name: 'Content Scan' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'contentScanApi', required: true }],
		properties: contentScanFields,
	};

	methods = {
		listSearch: {
			async searchScans(
				this: ILoadOptionsFunctions,
				filter?: string,
				paginationToken?: string,
			): Promise<INodeListSearchResult> {
				const { searchScans } = await import('./methods/searchScans');
				return await searchScans(this, { filter, paginationToken });
			},
			async searchQuarantine(
				this: ILoadOptionsFunctions,
				filter?: string,
				paginationToken?: string,
			): Promise<INodeListSearchResult> {
				const { searchScans } = await import('./methods/searchScans');
				return await searchScans(this, { filter, paginationToken, quarantine: true });
			},
		},
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const { executeItems } = await import('./actions/executeItems');
		return [await executeItems(this)];
	}
}
