import type { IDataObject } from 'n8n-workflow';
import { enteredBoolean, enteredOption, enteredNumber } from '../../../input/enteredValues';
import type { AuditLogEntry, EntryFields } from '../../../services/console/auditLogEntry';
import type { IdentifiedEntry } from '../reading/entryIdentity';
import { withEventKey } from '../reading/entryIdentity';
import { lineTemplate } from './lineTemplate';
import { DEFAULT_TEXT_MB } from './outputFields';
import { textItems } from './textItems';

/** What entries become: the `json` of the items that leave the node. */
export type EntryOutput = (entries: IdentifiedEntry[]) => IDataObject[];

/** What the user entered in the fields of outputFields.ts. */
interface EnteredOutput {
	output: unknown;
	/** Asked for text only. */
	lineTemplate: () => unknown;
	/** One whose expression gave nothing is there with `undefined`. */
	options: IDataObject;
}

/**
 * n8n takes an item with both `$error` and `$json` for one that failed: it keeps of it only the error's message, or
 * stops the execution where there is none. The first of them gets another name.
 */
function withoutErrorMark(entry: AuditLogEntry): IDataObject {
	const item = entry as IDataObject;
	const { $error: error } = item;
	if (error === undefined || item.$json === undefined) return item;
	let name = '_$error';
	while (name in item) name = `_${name}`;
	delete item.$error;
	item[name] = error;
	return item;
}

/**
 * How entries leave the node, as the user chose.
 * @throws UserError that names the field for a value that cannot be used.
 */
export function entryOutput(entered: EnteredOutput, fields: EntryFields): EntryOutput {
	const output = enteredOption(entered.output, 'Output', ['items', 'text']);
	const options = { maxTextSize: DEFAULT_TEXT_MB, includeEventKey: false, ...entered.options };
	const includeEventKey = enteredBoolean(options.includeEventKey, 'Include Event Key');
	if (output === 'items') {
		return (entries) =>
			entries.map((one) =>
				withoutErrorMark(includeEventKey ? withEventKey(one.entry, one.identity) : one.entry),
			);
	}
	const settings = {
		line: lineTemplate(entered.lineTemplate()),
		maxBytes: 1_000_000 * enteredNumber(options.maxTextSize, 'Max Text Size (MB)', { above: 0 }),
		includeEventKey,
		fields,
	};
	return (entries) => textItems(entries, settings).map((item) => ({ ...item }) as IDataObject);
}
