import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

export function executionOptions(context: IExecuteFunctions, itemIndex: number): IDataObject {
	return context.getNodeParameter('options', itemIndex, {});
}
