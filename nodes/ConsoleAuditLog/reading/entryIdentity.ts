import { hash } from 'crypto';
import { isRecord } from '../../../transport/isRecord';
import type { AuditLogEntry, EntryFields } from '../../../services/console/auditLogEntry';
import { entryId } from '../../../services/console/auditLogEntry';
import { digestOf } from '../../../services/digestOf';

/** Half of a character, which UTF-8 has no bytes for: hashed, all would be the same. */
const HALF = /\p{Surrogate}/u;

/** What tells an entry from all others, whenever it is read. */
export interface EntryIdentity {
	/** Its ID, or its content as JSON. */
	value: string | number;
	/** Which of the two it is. */
	hasId: boolean;
}

/** An identity as one text, different for each: the ID `7`, the ID `"7"` and the content `7` too. */
export function identityText({ value, hasId }: EntryIdentity): string {
	if (!hasId) return `content ${value}`;
	if (typeof value === 'number') return `number ${value}`;
	return HALF.test(value) ? `json ${JSON.stringify(value)}` : `id ${value}`;
}

/**
 * JSON with sorted keys: the same content in another order is the same text. Nothing is copied on the way:
 * an object whose names are numbers that are far apart would take kilobytes, and each level the text of all below.
 */
function canonicalJson(value: unknown): string {
	const pieces: string[] = [];
	writeCanonical(value, pieces);
	return pieces.join('');
}

function writeCanonical(value: unknown, pieces: string[]): void {
	if (Array.isArray(value)) {
		pieces.push('[');
		value.forEach((part, at) => {
			if (at > 0) pieces.push(',');
			writeCanonical(part, pieces);
		});
		pieces.push(']');
	} else if (isRecord(value)) {
		pieces.push('{');
		const names = Object.keys(value).sort();
		names.forEach((name, at) => {
			pieces.push(at > 0 ? ',' : '', JSON.stringify(name), ':');
			writeCanonical(value[name], pieces);
		});
		pieces.push('}');
	} else pieces.push(JSON.stringify(value));
}

/**
 * The identities of entries in the order of the log. One without an ID is told from others by its
 * content, and from those of the same content by how many of them came before.
 */
export class EntryIdentities {
	/** How many entries of a content came so far, by its digest. */
	private readonly repeats = new Map<string, number>();

	constructor(private readonly fields: EntryFields) {}

	/** The ID of an entry, if it has one. */
	idOf(entry: AuditLogEntry): string | number | undefined {
		return entryId(entry, this.fields);
	}

	/** Whether an entry of the same content came before that has no ID either. */
	hasContent(entry: AuditLogEntry): boolean {
		return this.repeats.has(digestOf(canonicalJson(entry)));
	}

	/** Of the entry that comes next. */
	next(entry: AuditLogEntry): EntryIdentity {
		const id = this.idOf(entry);
		if (id !== undefined) return { value: id, hasId: true };
		const content = canonicalJson(entry);
		const digest = digestOf(content);
		const repeat = (this.repeats.get(digest) ?? 0) + 1;
		this.repeats.set(digest, repeat);
		return { value: `${content} ${repeat}`, hasId: false };
	}

	/** The entries come again, from some position on. */
	restart(): void {
		this.repeats.clear();
	}
}

/** An entry with what tells it from all others. */
export interface IdentifiedEntry {
	entry: AuditLogEntry;
	/** To ask for it may take time. */
	readonly identity: EntryIdentity;
}

/** The entries of one reading, oldest first, each with its identity, which takes time where it is asked for. */
export function identified(entries: AuditLogEntry[], fields: EntryFields): IdentifiedEntry[] {
	const identities = new EntryIdentities(fields);
	const known: EntryIdentity[] = [];
	return entries.map((entry, at) => ({
		entry,
		get identity() {
			// Of equal ones, each depends on those before it.
			while (known.length <= at) known.push(identities.next(entries[known.length]));
			return known[at];
		},
	}));
}

/** The same with each identity worked out. @param pause Awaited before each: a large entry may take half a second. */
export async function identifiedInTurn(
	entries: AuditLogEntry[],
	fields: EntryFields,
	pause: () => Promise<void>,
): Promise<IdentifiedEntry[]> {
	const identities = new EntryIdentities(fields);
	const result: IdentifiedEntry[] = [];
	for (const entry of entries) {
		await pause();
		result.push({ entry, identity: identities.next(entry) });
	}
	return result;
}

/** A key for de-duplication downstream, the same whenever the entry is read: 32 hex digits. */
export function eventKeyOf(identity: EntryIdentity): string {
	return hash('sha256', identityText(identity), 'hex').slice(0, 32);
}

/** The entry itself, with its key: a copy may take kilobytes more (see `canonicalJson`). */
export function withEventKey(entry: AuditLogEntry, identity: EntryIdentity): AuditLogEntry {
	return Object.assign(entry, { eventKey: eventKeyOf(identity) });
}
