import type { EntryFields } from '../../../services/console/auditLogEntry';
import { writtenTime } from '../../../services/console/auditLogEntry';
import type { IdentifiedEntry } from '../reading/entryIdentity';
import { eventKeyOf, withEventKey } from '../reading/entryIdentity';
import type { Line } from './lineTemplate';

/** One item of the output Text. */
interface TextItem {
	/** The lines of its entries, each ended by a newline. */
	text: string;
	/** Number of its entries. */
	count: number;
	/** Time of its first entry as the console wrote it; `null` where it has none. */
	from: unknown;
	/** The same of its last entry. */
	to: unknown;
}

interface TextSettings {
	line: Line;
	/** Most bytes of UTF-8 in one item. A longer line has an item of its own. */
	maxBytes: number;
	includeEventKey: boolean;
	fields: EntryFields;
}

/**
 * The entries as text, in their order: as few items as the size allows.
 * @param pause Awaited before each entry.
 */
export async function textItems(
	entries: Iterable<IdentifiedEntry>,
	{ line, maxBytes, includeEventKey, fields }: TextSettings,
	pause: () => Promise<void>,
): Promise<TextItem[]> {
	const items: TextItem[] = [];
	let bytes = 0;
	for (const one of entries) {
		await pause();
		const { entry } = one;
		const time = writtenTime(entry, fields) ?? null;
		const made = `${line({
			entry: JSON.stringify(includeEventKey ? withEventKey(entry, one.identity) : entry),
			time,
			eventKey: () => eventKeyOf(one.identity),
		})}\n`;
		const size = Buffer.byteLength(made);
		if (items.length === 0 || bytes + size > maxBytes) {
			items.push({ text: '', count: 0, from: time, to: time });
			bytes = 0;
		}
		const item = items[items.length - 1];
		item.text += made;
		item.count++;
		item.to = time;
		bytes += size;
	}
	return items;
}
