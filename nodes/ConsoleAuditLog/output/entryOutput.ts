import type { IDataObject } from 'n8n-workflow';
import { enteredBoolean, enteredOption, enteredNumber } from '../../../input/enteredValues';
import type { AuditLogEntry, EntryFields } from '../../../services/console/auditLogEntry';
import { LONGEST_HASHED } from '../../../transport/exactJson';
import { BYTES_OF_A_LONG_TEXT } from '../../../transport/readAnswer';
import type { IdentifiedEntry } from '../reading/entryIdentity';
import { withEventKey } from '../reading/entryIdentity';
import { lineTemplate } from './lineTemplate';
import { DEFAULT_TEXT_MB } from './outputFields';
import { textItems } from './textItems';

/** How entries leave the node. */
export interface EntryOutput {
	/**
	 * What entries become: the `json` of the items.
	 * @param pause Awaited before each entry: the event key of one may take half a second.
	 */
	items(entries: IdentifiedEntry[], pause?: () => Promise<void>): Promise<IDataObject[]>;
	/** How much of what may leave the node at once does so: less than 1 where that would be very many long texts. */
	share: number;
}

const noPause = async () => {};

/** What the user entered in the fields of outputFields.ts. */
interface EnteredOutput {
	output: unknown;
	/** Asked for text only. */
	lineTemplate: () => unknown;
	/** One whose expression gave nothing is there with `undefined`. */
	options: IDataObject;
}

/** n8n's own fields in an item: what it takes for files, and adds up; and what it takes for an error. */
function n8nFieldsIn({ _files: files, $error: error, $json: json }: IDataObject): string[] {
	const holdsFiles = typeof files === 'object' && files !== null;
	return [
		...(holdsFiles ? ['_files'] : []),
		...(error !== undefined && json !== undefined ? ['$error'] : []),
	];
}

/**
 * An item of an entry, in which n8n finds none of its own fields: it could not store the execution, or would keep
 * nothing of the entry but an error's message. They get an underscore in front.
 */
function asItem(entry: AuditLogEntry): IDataObject {
	const item = entry as IDataObject;
	for (const field of n8nFieldsIn(item)) {
		let name = `_${field}`;
		while (name in item) name = `_${name}`;
		item[name] = item[field];
		delete item[field];
	}
	return item;
}

/** So that each long text counts as such, whether of one entry or of several: see `BYTES_OF_A_LONG_TEXT`. */
function shareAsText(maxBytes: number): number {
	return Math.min(1, Math.max(maxBytes, LONGEST_HASHED) / BYTES_OF_A_LONG_TEXT);
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
		const entryOf = (one: IdentifiedEntry) =>
			includeEventKey ? withEventKey(one.entry, one.identity) : one.entry;
		return {
			items: async (entries, pause = noPause) => {
				const items: IDataObject[] = [];
				for (const one of entries) {
					await pause();
					items.push(asItem(entryOf(one)));
				}
				return items;
			},
			share: 1,
		};
	}
	const settings = {
		line: lineTemplate(entered.lineTemplate()),
		maxBytes: 1_000_000 * enteredNumber(options.maxTextSize, 'Max Text Size (MB)', { above: 0 }),
		includeEventKey,
		fields,
	};
	return {
		items: async (entries, pause = noPause) => {
			const items = await textItems(entries, settings, pause);
			return items.map((item) => ({ ...item }) as IDataObject);
		},
		share: shareAsText(settings.maxBytes),
	};
}
