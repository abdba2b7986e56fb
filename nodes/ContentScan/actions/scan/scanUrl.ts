import { NodeApiError, UserError } from 'n8n-workflow';
import { callbackFields } from '../common/callbackFields';
import { submit } from '../common/submission';
import { givenFields } from '../common/givenFields';
import { carriedFields } from '../common/inputFields';
import type { Operation } from '../itemRun';
import { addSentence } from '../../../../transport/errors/addSentence';

/** A service may take a URL without it; its own words for a refusal name no field of the node. */
function sayingWhatIsMissing(url: string) {
	return async (error: unknown): Promise<never> => {
		const isRefused = error instanceof NodeApiError && error.httpCode === '400';
		if (isRefused && !/^https?:\/\//i.test(url)) {
			addSentence(error, "The 'URL' does not begin with http:// or https://.");
		}
		return await Promise.reject(error);
	};
}

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
	return await submit(item, 'scanUrl', { type: 'form', fields }).catch(sayingWhatIsMissing(path));
};
