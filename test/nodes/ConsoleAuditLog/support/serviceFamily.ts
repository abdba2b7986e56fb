import * as fc from 'fast-check';
import type { INode } from 'n8n-workflow';
import type { Answer, Call, Service } from '../../../../transport/call';
import type { Clock } from '../../../../transport/clock';
import { callError } from '../../../../transport/errors/callError';
import type { CallFailure } from '../../../../transport/errors/failure';
import { statusFailure } from '../../../../transport/errors/failure';
import { BEGIN } from './scenario';
import type { ModelEntry } from './modelLog';

/** How a call fails: with a status, or without one. */
export type Failure = number | 'noAnswer' | 'answerCut' | 'answerTooLarge' | 'unreachable';

/**
 * One console of all that the documents allow: each trait is something that they leave open. Where a
 * value could come from stands beside it.
 */
export interface Traits {
	/**
	 * What the last page holds. `null`, `absent`: the interface description. `empty`: a serializer that
	 * writes every field. `reusable`: the vendor's own collector stores it and goes on from it.
	 */
	lastToken: 'null' | 'absent' | 'empty' | 'reusable';
	/** How a token is written. One that is no text, or over 16 KB, cannot be sent. */
	tokens: 'text' | 'number' | 'tooLong';
	/** What a token marks: the last entry (a keyset), or how many came before (`OFFSET` in SQL). */
	tokenMarks: 'entry' | 'offset';
	/** Milliseconds that a token lives: for ever, or as long as a cursor of a search engine or a cache. */
	tokenLife: number;
	/** Whether a token serves once, as that of a cursor that is deleted when it is read. */
	singleUse: boolean;
	/** What a token gets that is no longer good: any status, or something that is not seen as an error. */
	staleToken: Failure | 'emptyPage' | 'fromTheStart' | 'noItems';
	/**
	 * Largest page; more is cut to it, perhaps as if it were the last, gets an empty page, is refused, or
	 * fails, as a gateway or a memory limit makes it.
	 */
	largestPage: number;
	largerPage: 'clamped' | 'clampedAsLast' | 'empty' | Failure;
	/** From when on, in milliseconds: a console may be updated. */
	largestFrom: number;
	/** Entries of one moment come in the same order, or, sorted by time alone, in another each time. */
	order: 'stable' | 'unstableWithinAMoment';
	/** To what it rounds `since` down, in milliseconds: to the second, say. */
	sinceStep: number;
	/** How times are written: ISO with milliseconds (the vendor's collector), finer, local, or a number. */
	times: 'iso' | 'finer' | 'offset' | 'seconds' | 'milliseconds';
	/** IDs: opaque text by the description; a number is what many a database has. */
	ids: 'text' | 'number';
	/** The `Date` header: a proxy may drop it, a machine without a battery has a wrong one. */
	date: 'right' | 'missing' | 'year10000' | 'before1970' | 'yearAhead' | 'yearBehind';
}

const STATUSES = [400, 401, 403, 404, 408, 409, 410, 412, 413, 414, 422, 500, 502, 503, 504, 302];

/** Statuses of failure, but 429. */
export const statuses = fc.oneof(
	{ weight: 3, arbitrary: fc.constantFrom(...STATUSES) },
	{ weight: 1, arbitrary: fc.integer({ min: 300, max: 599 }).filter((status) => status !== 429) },
);

export const families: fc.Arbitrary<Traits> = fc.record({
	lastToken: fc.constantFrom('null', 'absent', 'empty', 'reusable'),
	tokens: fc.oneof(
		{ weight: 4, arbitrary: fc.constant('text' as const) },
		fc.constantFrom('number' as const, 'tooLong' as const),
	),
	tokenMarks: fc.constantFrom('entry', 'offset'),
	tokenLife: fc.constantFrom(Infinity, 10 * 60_000, 60_000),
	singleUse: fc.boolean(),
	staleToken: fc.oneof(
		{ weight: 3, arbitrary: statuses },
		fc.constantFrom<Traits['staleToken'][]>('noAnswer', 'emptyPage', 'fromTheStart', 'noItems'),
	),
	largestPage: fc.oneof(fc.constant(Infinity), fc.integer({ min: 5, max: 60 })),
	largerPage: fc.constantFrom<Traits['largerPage'][]>(
		...(['clamped', 'clampedAsLast', 'empty'] as const),
		...[400, 413, 422, 500, 502, 503, 504, 507, 408],
		'noAnswer',
		'answerCut',
		'answerTooLarge',
	),
	largestFrom: fc.constantFrom(-Infinity, BEGIN + 30 * 60_000),
	order: fc.constantFrom('stable', 'unstableWithinAMoment'),
	sinceStep: fc.constantFrom(1, 1000),
	times: fc.constantFrom('iso', 'finer', 'offset', 'seconds', 'milliseconds'),
	ids: fc.constantFrom('text', 'number'),
	date: fc.constantFrom('right', 'missing', 'year10000', 'before1970', 'yearAhead', 'yearBehind'),
});

/** An entry as this console writes it. */
export function written(number: number, time: number, { ids, times }: Traits): ModelEntry['entry'] {
	const iso = new Date(time).toISOString();
	const createdAt = {
		iso,
		finer: iso.replace('Z', '456Z'),
		offset: new Date(time + 7_200_000).toISOString().replace('Z', '+02:00'),
		seconds: Math.floor(time / 1000),
		milliseconds: time,
	}[times];
	return { auditlogId: ids === 'text' ? `e${number}` : number + 1, createdAt };
}

/** What becomes of the calls of one poll. */
export interface Weather {
	/** Milliseconds that each call takes. */
	callMs: number;
	/** Larger pages fail for now. */
	busyAbove: number;
	/** What becomes of the n-th call, counted from 0. */
	faults: Record<number, Failure>;
	/** While the n-th call is under way n8n's clock is set, so that it is so many milliseconds ahead. */
	clockSet: Record<number, number>;
}

export const FINE_WEATHER: Weather = { callMs: 0, busyAbove: Infinity, faults: {}, clockSet: {} };

interface Token {
	since: number;
	limit: number;
	offset: number;
	after?: Sorted;
	salt: number;
	issuedAt: number;
	used: boolean;
	credential: number;
}

type Sorted = [time: number, rank: number];

const node = { id: 'n', name: 'Node', type: 't', typeVersion: 1 } as unknown as INode;

const WRONG_DATES = {
	year10000: Date.UTC(10_000, 0, 1),
	before1970: Date.UTC(1969, 0, 1),
	yearAhead: Date.UTC(2027, 5, 1),
	yearBehind: Date.UTC(2025, 1, 1),
};

/** A console of the family, behind the transport's contract, with a clock that its calls move. */
export class FamilyService implements Service {
	readonly origin = 'https://console.example.com';
	readonly delays = { calls: 0, longestMs: 0 };
	/** That of n8n. */
	readonly clock: Clock = {
		now: () => this.now + this.clockAhead,
		monotonic: () => this.now,
		sleep: async () => {},
	};
	/** Calls of the poll under way. */
	calls = 0;
	private weather = FINE_WEATHER;
	private credential = 0;
	private deadline = Infinity;
	private isSpent = false;
	private readonly tokens = new Map<string, Token>();
	private salt = 0;

	constructor(
		private readonly entries: ModelEntry[],
		readonly traits: Traits,
		/** The true time, in milliseconds. */
		public now: number,
		/** How far n8n's clock is ahead of it, in milliseconds. */
		private clockAhead = 0,
	) {}

	beginPoll(weather: Weather, deadline: number, credential = 0): void {
		this.weather = weather;
		this.credential = credential;
		this.deadline = deadline;
		this.calls = 0;
		this.isSpent = false;
	}

	visible(): ModelEntry[] {
		return this.entries.filter((entry) => this.isVisible(entry));
	}

	private isVisible({ appearsAt, goneAt = Infinity }: ModelEntry): boolean {
		return appearsAt <= this.now && this.now < goneAt;
	}

	async send(call: Call): Promise<Answer> {
		if (this.isSpent) throw new Error('a call after 429');
		const { faults, clockSet, callMs } = this.weather;
		const fault = faults[this.calls];
		this.clockAhead = clockSet[this.calls++] ?? this.clockAhead;
		if (this.now + callMs > this.deadline) throw this.failed('noAnswer', call);
		this.now += callMs;
		if (fault !== undefined) throw this.failed(fault, call);
		return this.answer(this.body(call));
	}

	async follow(): Promise<Answer> {
		throw new Error('the audit log has no address to follow');
	}

	async wrongShape(call: Pick<Call, 'purpose'>, detail: string) {
		return this.error({ kind: 'wrongShape', detail }, call);
	}

	async toldError(call: Pick<Call, 'purpose'>) {
		return this.error({ kind: 'toldError' }, call);
	}

	private body(call: Call): unknown {
		const { since, limit, pageToken } = call.query as Record<string, string | undefined>;
		if (since !== undefined && new Date(since).toISOString() !== since) {
			throw new Error(`since is not ISO 8601 UTC with milliseconds: ${since}`);
		}
		const size = this.pageSize(Number(limit), call);
		const from = since === undefined ? -Infinity : Date.parse(since);
		if (pageToken === undefined) {
			return this.page({ since: from, limit: Number(limit), offset: 0, salt: ++this.salt }, size);
		}
		const token = this.tokens.get(pageToken);
		if (!token) throw new Error('a token that was never given');
		if (token.credential !== this.credential) {
			throw new Error('a token is sent with another credential than it came with');
		}
		if (token.since !== from || token.limit !== Number(limit)) {
			throw new Error('a call with a token does not repeat since and limit');
		}
		const { singleUse, tokenLife, staleToken } = this.traits;
		const isStale = (singleUse && token.used) || this.now - token.issuedAt > tokenLife;
		token.used = true;
		if (!isStale) return this.page(token, size);
		if (staleToken === 'emptyPage') return { items: [] };
		if (staleToken === 'noItems') return { message: 'expired' };
		if (staleToken === 'fromTheStart') {
			return this.page({ ...token, since: -Infinity, offset: 0, after: undefined }, size, token);
		}
		throw this.failed(staleToken, call);
	}

	private pageSize(limit: number, call: Call): number {
		const { largestPage, largerPage, largestFrom } = this.traits;
		if (limit > this.weather.busyAbove) throw this.failed(504, call);
		if (limit <= largestPage || this.now < largestFrom) return limit;
		if (largerPage === 'empty') return 0;
		if (largerPage === 'clamped' || largerPage === 'clampedAsLast') return largestPage;
		throw this.failed(largerPage, call);
	}

	private page(
		{ since, offset, after, salt, limit }: Omit<Token, 'issuedAt' | 'used' | 'credential'>,
		size: number,
		asked = { since, limit },
	): unknown {
		const { tokens, tokenMarks, lastToken, order, sinceStep, largerPage } = this.traits;
		const from = sinceStep === Infinity ? -Infinity : Math.floor(since / sinceStep) * sinceStep;
		const sorted = this.entries
			.map((entry, place) => ({ entry, at: [entry.time, this.rank(place, salt, order)] as Sorted }))
			.filter(({ entry }) => this.isVisible(entry) && entry.time >= from)
			.sort((a, b) => compare(a.at, b.at));
		const begin =
			tokenMarks === 'entry' && after
				? sorted.filter(({ at }) => compare(at, after) <= 0).length
				: offset;
		const items = sorted.slice(begin, begin + size);
		const end = begin + items.length;
		const isSilentlyCut = largerPage === 'clampedAsLast' || largerPage === 'empty';
		const endsHere = size < limit && isSilentlyCut;
		const isLast = endsHere || end >= sorted.length;
		const text = `tök+/=&?#% ${this.tokens.size}`;
		if (!isLast || lastToken === 'reusable') {
			const last = items.at(-1)?.at ?? after;
			const marks = { offset: end, after: last, salt, issuedAt: this.now, used: false };
			this.tokens.set(text, { ...asked, ...marks, credential: this.credential });
		}
		const writtenToken = { text, number: this.tokens.size, tooLong: text.padEnd(20_000, 'x') }[
			tokens
		];
		const none = { null: { nextPageToken: null }, absent: {}, empty: { nextPageToken: '' } };
		return {
			items: items.map(({ entry }) => entry.entry),
			...(isLast && lastToken !== 'reusable' ? none[lastToken] : { nextPageToken: writtenToken }),
		};
	}

	/** Without a second key to sort by, what shares a moment comes as it likes, but once a paging. */
	private rank(place: number, salt: number, order: Traits['order']): number {
		return order === 'stable'
			? place
			: (Math.imul(place + 1, 2_654_435_761) ^ (salt * 40_503)) >>> 0;
	}

	private answer(body: unknown): Answer {
		const { date } = this.traits;
		const time = date === 'right' || date === 'missing' ? this.now : WRONG_DATES[date];
		const headers: Record<string, string> =
			date === 'missing' ? {} : { date: new Date(time).toUTCString() };
		const digest = JSON.stringify(body);
		return { status: 200, headers, body, bytes: 0, digest, tookMs: this.weather.callMs };
	}

	private failed(failure: Failure, call: Call) {
		if (failure === 429) this.isSpent = true;
		if (failure === 'noAnswer') this.now = Math.max(this.now, this.deadline);
		if (failure === 'unreachable') return this.error({ kind: 'refusedConnection' }, call);
		if (typeof failure === 'string') return this.error({ kind: failure }, call);
		return this.error({ kind: statusFailure(failure) ?? 'webPage', status: failure }, call);
	}

	private error(failure: CallFailure, { purpose }: Pick<Call, 'purpose'>) {
		return callError(node, failure, { purpose, serviceName: 'console' });
	}
}

function compare(a: Sorted, b: Sorted): number {
	return a[0] - b[0] || a[1] - b[1];
}
