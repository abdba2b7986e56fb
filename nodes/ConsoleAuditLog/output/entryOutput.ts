import type { IDataObject } from 'n8n-workflow';
import { UserError } from 'n8n-workflow';
import { enteredNumber } from '../../../input/enteredNumber';
import type { EntryFields } from '../../../services/console/auditLogEntry';
import type { IdentifiedEntry } from '../reading/entryIdentity';
import { withEventKey } from '../reading/entryIdentity';
import { lineTemplate } from './lineTemplate';
import { DEFAULT_TEXT_MB } from './outputFields';
import { textItems } from './textItems';

/** What entries become: the `json` of the items that leave the node. */
export type EntryOutput = (entries: IdentifiedEntry[]) => IDataObject[];

/** What the user entered in the fields of outputFields.ts. */
export interface EnteredOutput {
	output: unknown;
	lineTemplate: unknown;
	maxTextSize?: unknown;
	includeEventKey: boolean;
}

/**
 * How entries leave the node, as the user chose.
 * @throws UserError that names the field for a value that cannot be used.
 */
export function entryOutput(entered: EnteredOutput, fields: EntryFields): EntryOutput {
	const { output, includeEventKey } = entered;
	if (output === 'items') {
		return (entries) =>
			entries.map(
				({ entry, identity }) =>
					(includeEventKey ? withEventKey(entry, identity) : entry) as IDataObject,
			);
	}
	if (output !== 'text') {
		throw new UserError("'Output' is not one of its options", {
			description: `It is ${JSON.stringify(output)}. Choose Items or Text.`,
		});
	}
	const settings = {
		line: lineTemplate(entered.lineTemplate),
		maxBytes: textBytes(entered.maxTextSize),
		includeEventKey,
		fields,
	};
	return (entries) => textItems(entries, settings).map((item) => ({ ...item }) as IDataObject);
}

function textBytes(entered: unknown = DEFAULT_TEXT_MB): number {
	const megabytes = enteredNumber(entered);
	if (Number.isFinite(megabytes) && megabytes > 0) return megabytes * 1_000_000;
	throw new UserError("'Max Text Size (MB)' must be a number above 0", {
		description: `It is ${JSON.stringify(entered)}. Change or remove it in the node's Options.`,
	});
}
