import { UserError } from 'n8n-workflow';
import { emptyOption } from '../../../../input/addedOption';
import { enteredText } from '../../../../input/enteredValues';
import { isRecord } from '../../../../transport/isRecord';
import type { ItemRun } from '../itemRun';
import { NOTHING_SENT } from '../itemRun';
import { givenFields } from './givenFields';
import { refuseLongSecret } from './longSecret';

function parsed(json: string): unknown {
	try {
		return JSON.parse(json) as unknown;
	} catch {
		return undefined;
	}
}

function jsonOption(item: ItemRun, name: string, label: string): string | undefined {
	const value = item.options[name];
	const isParsed = typeof value === 'object' && value !== null;
	const typed = isParsed
		? enteredText(JSON.stringify(value), label)
		: item.addedOption(name, label);
	if (typed === undefined || typed === '{}') return undefined;
	if (parsed(typed) === undefined) {
		throw new UserError(`The option '${label}' is not valid JSON`, {
			description: 'Enter a JSON object, e.g. { "name": "value" }.',
		});
	}
	// As typed: a long number would not survive being read and written.
	return typed;
}

function headersOption(item: ItemRun): string | undefined {
	const label = 'Callback Headers';
	const json = jsonOption(item, 'callbackHeaders', label);
	if (json === undefined) {
		// Without its secret header, the receiving workflow would drop the callback.
		if (Object.hasOwn(item.options, 'callbackHeaders')) throw emptyOption(label, NOTHING_SENT);
		return undefined;
	}
	refuseLongSecret(json, label);
	const headers = parsed(json);
	if (isRecord(headers) && Object.values(headers).every((value) => typeof value === 'string'))
		return json;
	throw new UserError(`The option '${label}' is not a JSON object with text values`, {
		description: 'Enter header names with their values, e.g. { "X-Scan-Secret": "…" }.',
	});
}

function urlOption(item: ItemRun): string | undefined {
	const url = item.addedOption('callbackUrl', 'Callback URL');
	if (url === undefined || /^https?:\/\/[^\s/]+/i.test(url)) return url;
	throw new UserError("The option 'Callback URL' is not a web address", {
		description: 'It must begin with https:// or http://.',
	});
}

/** `callback_params` and `callback_headers` travel as JSON strings. @throws UserError that names the option. */
export function callbackFields(item: ItemRun): Record<string, string> {
	return givenFields({
		callback_url: urlOption(item),
		callback_params: jsonOption(item, 'callbackParams', 'Callback Parameters'),
		callback_headers: headersOption(item),
	});
}
