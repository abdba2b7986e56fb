import type { AuditLogEntry } from '../../../../services/console/auditLogEntry';
import type { AuditLogPage, PageCall } from '../../../../services/console/auditLogPage';

/** An entry of the simulated log. */
export interface ModelEntry {
	/** When it was generated, in milliseconds: its place in the log. */
	time: number;
	/** When it can first be seen, in milliseconds. Later than `time`: late; earlier: dated ahead. */
	appearsAt: number;
	/** When it is listed no more, in milliseconds: a console of the family may lose some. */
	goneAt?: number;
	entry: AuditLogEntry;
}

/** What docs/interface.md leaves open, each of which a service may do. */
export interface ServiceHabits {
	/** After the last page: no token, or one that leads to an empty page and can be used later. */
	end: 'null' | 'token';
	/** What a token marks: the last entry of its page, or how many entries came before. */
	tokens: 'cursor' | 'position';
	maxLimit: number;
	/** What happens to a larger `limit`. */
	overMax: 'refuse' | 'cap' | 'capAsLast' | 'fewAsLast' | 'empty';
	/** After so many entries of one `since` it ends, whatever follows. */
	mostPerQuery?: number;
	/** To what it rounds `since` down, in milliseconds. */
	sinceStep?: number;
	/** Milliseconds for which entries are kept. */
	retention?: number;
	/** Whether a `since` before that is refused. */
	refusesGone?: boolean;
	/** Whether a `since` to come is refused. */
	refusesFuture?: boolean;
	/** After so many pages of one paging the tokens lead back to its second page. */
	loopAfter?: number;
}

export const PLAIN_HABITS: ServiceHabits = {
	end: 'null',
	tokens: 'cursor',
	maxLimit: Infinity,
	overMax: 'refuse',
};

interface PlacedEntry extends ModelEntry {
	place: number;
}

interface TokenContent {
	since: string | undefined;
	limit: number;
	page: number;
	offset: number;
	after?: [time: number, place: number];
}

/** Characters that break a careless client; the rest of a token is its content. */
const ODD = 'tök+/=&?#% ';

/**
 * The list call of the console as docs/interface.md has it, strict: `since` is inclusive and has
 * milliseconds, the order is chronological with ties in a fixed order, and a call with a token must
 * repeat `since` and `limit`.
 */
export class ModelLog {
	readonly calls: PageCall[] = [];
	private readonly entries: PlacedEntry[];
	private visible: { now: number; entries: PlacedEntry[] } | undefined;

	/** @param entries Their order decides between entries of the same time. */
	constructor(
		entries: ModelEntry[],
		private readonly habits: ServiceHabits = PLAIN_HABITS,
	) {
		this.entries = entries
			.map((entry, place) => ({ ...entry, place }))
			.sort((a, b) => a.time - b.time || a.place - b.place);
	}

	/** The entries that can be seen at a moment, in order. */
	visibleAt(now: number): ModelEntry[] {
		if (this.visible?.now !== now) {
			const oldest = now - (this.habits.retention ?? Infinity);
			const entries = this.entries.filter(
				({ time, appearsAt }) => appearsAt <= now && time >= oldest,
			);
			this.visible = { now, entries };
		}
		return this.visible.entries;
	}

	/** Answers a call; `'refused'` is a status 400. */
	page(call: PageCall, now: number): AuditLogPage | 'refused' {
		this.calls.push(call);
		const { habits } = this;
		if (call.since !== undefined && !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(call.since)) {
			throw new Error(`since is not ISO 8601 UTC with milliseconds: ${call.since}`);
		}
		if (!Number.isInteger(call.limit) || call.limit < 1) throw new Error(`limit: ${call.limit}`);
		if (call.limit > habits.maxLimit && habits.overMax === 'refuse') return 'refused';
		const isOverMax = call.limit > habits.maxLimit;
		if (isOverMax && habits.overMax === 'empty') return { items: [] };
		const oldest = now - (habits.retention ?? Infinity);
		if (habits.refusesFuture && Date.parse(call.since ?? '') > now) return 'refused';
		if (habits.refusesGone && Date.parse(call.since ?? '') < oldest) return 'refused';
		const token = call.pageToken === undefined ? undefined : read(call.pageToken);
		if (token && (token.since !== call.since || token.limit !== call.limit)) {
			throw new Error('a call with a token does not repeat since and limit');
		}
		const { sinceStep = 1, mostPerQuery = Infinity } = habits;
		const since =
			call.since === undefined
				? -Infinity
				: Math.floor(Date.parse(call.since) / sinceStep) * sinceStep;
		const listed = this.visibleAt(now) as PlacedEntry[];
		const first = firstWhere(listed, ({ time }) => time >= since);
		const begin = this.begin(listed, first, token);
		const most = isOverMax && habits.overMax === 'fewAsLast' ? 20 : habits.maxLimit;
		const lastOfQuery = first + mostPerQuery;
		const items = listed.slice(begin, Math.min(begin + Math.min(call.limit, most), lastOfQuery));
		const end = begin + items.length;
		const isLast =
			end >= Math.min(listed.length, lastOfQuery) ||
			(isOverMax && ['capAsLast', 'fewAsLast'].includes(habits.overMax));
		if (isLast && habits.end === 'null') return { items: jsonOf(items) };
		const nextPageToken = this.nextToken(call, token, end - first, items.at(-1));
		return { items: jsonOf(items), nextPageToken };
	}

	private begin(listed: PlacedEntry[], first: number, token: TokenContent | undefined): number {
		if (!token) return first;
		const { after } = token;
		if (this.habits.tokens === 'position' || !after) return first + token.offset;
		return firstWhere(
			listed,
			({ time, place }) => time > after[0] || (time === after[0] && place > after[1]),
		);
	}

	private nextToken(
		{ since, limit }: PageCall,
		token: TokenContent | undefined,
		offset: number,
		last: PlacedEntry | undefined,
	): string {
		const page = (token?.page ?? 0) + 1;
		const after: TokenContent['after'] = last ? [last.time, last.place] : token?.after;
		if (page === this.habits.loopAfter) return write({ since, limit, page: 1, offset: limit });
		return write({ since, limit, page, offset, after });
	}
}

/** Index of the first entry for which `holds`, which stays true from there on. */
function firstWhere(entries: PlacedEntry[], holds: (entry: PlacedEntry) => boolean): number {
	let low = 0;
	let high = entries.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (holds(entries[middle])) high = middle;
		else low = middle + 1;
	}
	return low;
}

function jsonOf(entries: ModelEntry[]): AuditLogEntry[] {
	return entries.map(({ entry }) => entry as AuditLogEntry);
}

function write(content: TokenContent): string {
	return ODD + JSON.stringify(content);
}

function read(token: string): TokenContent {
	return JSON.parse(token.slice(ODD.length)) as TokenContent;
}
