import { UserError } from 'n8n-workflow';
import { callbackFields } from '../common/callbackFields';
import { submit } from '../common/submission';
import { givenFields } from '../common/givenFields';
import { carriedFields } from '../common/inputFields';
import type { Operation } from '../itemRun';

export const scanUrl: Operation = async (item) => {
	item.carried = carriedFields(item);
	const path = item.text('url', 'URL');
	if (path === '') {
		throw new UserError("The 'URL' is empty", {
			description: 'Enter the address to scan, e.g. https://www.example.com/.',
		});
	}
	const fields = givenFields({
		path,
		user_agent_string: item.option('userAgentString', 'User Agent String'),
		user_location: item.option('userLocation', 'User Location'),
		...callbackFields(item),
	});
	return await submit(item, 'scanUrl', { type: 'form', fields });
};
