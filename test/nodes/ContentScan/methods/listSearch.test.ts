import type { ILoadOptionsFunctions, INodeProperties } from 'n8n-workflow';
import { ContentScan } from '../../../../nodes/ContentScan/ContentScan.node';
import { searchScans } from '../../../../nodes/ContentScan/methods/searchScans';

jest.mock('../../../../nodes/ContentScan/methods/searchScans', () => ({ searchScans: jest.fn() }));

const node = new ContentScan();

/** The search behind the scan field of an operation. */
function searchOf(operation: string) {
	const field = node.description.properties.find(
		({ name, displayOptions }) =>
			name === 'scanId' && displayOptions?.show?.operation?.[0] === operation,
	) as INodeProperties;
	const method = field.modes?.find(({ name }) => name === 'list')?.typeOptions?.searchListMethod;
	return node.methods.listSearch[method as keyof typeof node.methods.listSearch];
}

it.each([
	['get', false],
	['changeVerdict', false],
	['requestInvestigation', false],
	['release', true],
])('the list of %s shows only what may be in quarantine: %p', async (operation, quarantine) => {
	const context = {} as ILoadOptionsFunctions;
	await searchOf(operation).call(context, 'typed', 'page');
	expect(searchScans).toHaveBeenLastCalledWith(context, {
		filter: 'typed',
		paginationToken: 'page',
		...(quarantine && { quarantine }),
	});
});
