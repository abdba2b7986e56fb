import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';
import type { FakeClock } from '../../../support/fakeClock.cts';

/**
 * One scanning service of all that the documents allow, spoken to over HTTP: each trait is something
 * that they leave open. Where a value could come from stands beside it.
 */
export interface Traits {
	/** The documents show no status of a submission's answer. */
	accepted: 200 | 201 | 202;
	/** An integer by the documents, text in samples; the others are a changed or another interface. */
	submittedId: 'integer' | 'digits' | 'composite' | 'missing' | 'nested' | 'object' | 'empty';
	/** Nobody publishes how the submitted ID maps to those of a record. */
	listedAs: 'id' | 'idText' | 'both' | 'full' | 'withParts' | 'partsOnly' | 'other' | 'noIds';
	/** What Get makes of an ID: its scan; nothing; or, by another mapping, other records. */
	getGives: 'own' | 'notFound' | 'other' | 'part' | 'noIds' | 'webPage' | 'list';
	/** How long after it was accepted a scan is noted as created, in seconds, and then listed. */
	notedAfter: number;
	listedAfter: number;
	/** The one sign of an end that is known, in every form in which services write times. */
	finishedAt: 'iso' | 'isoOffset' | 'noZone' | 'http' | 'seconds' | 'milliseconds';
	/** The same while the scan runs. */
	unfinishedAt: 'null' | 'missing' | 'empty' | 'year1970' | 'word' | 'zero' | 'false';
	/** Whether a running scan bears a default verdict. */
	runsAsClean: boolean;
	/** Absolute by a description; behind a proxy often of another host or scheme; else relative. */
	next: 'absolute' | 'http' | 'innerHost' | 'relative' | 'query' | 'bareQuery' | 'number' | 'same';
	lastPage: 'null' | 'absent' | 'empty' | 'hasMoreOnly';
	count: 'right' | 'missing' | 'null' | 'text';
	pageSize: number;
	/** Longer windows, in seconds, or such with more scans are refused (a collector halved its window). */
	longestWindow: number;
	mostScans: number;
	refusal: number;
	/** Whether the last second of a window counts up to its beginning only. */
	exactSeconds: boolean;
	/** Seconds between two other scans in the list, all of them clean. */
	othersEvery: number;
	date: 'right' | 'missing' | 'yearAhead' | 'before1970' | 'ahead';
	/** Error bodies are not documented: Django's, others', a proxy's; some repeat what they were sent. */
	errorBody: 'detail' | 'field' | 'error' | 'text' | 'page' | 'empty' | 'deep' | 'echo' | 'encoded';
}

/** What the public material shows, where it shows anything. */
export const USUAL: Traits = {
	...{ accepted: 200, submittedId: 'integer', listedAs: 'both', getGives: 'own' },
	...{ notedAfter: 0, listedAfter: 0, finishedAt: 'iso', unfinishedAt: 'null', runsAsClean: false },
	...{ next: 'absolute', lastPage: 'null', count: 'right', pageSize: 100, othersEvery: 60 },
	...{ longestWindow: Infinity, mostScans: Infinity, refusal: 400, exactSeconds: false },
	...{ date: 'right', errorBody: 'detail' },
};

/** What becomes of one call. `after`: the service has carried it out all the same. */
export type Fault =
	| 'none'
	| { kind: 'status'; status: number; retryAfter?: string; after?: boolean }
	| { kind: 'reset' | 'cut' | 'silence' | 'webPage' | 'notJson' | 'empty'; after: boolean }
	| { kind: 'refused' };

/** A scan as the service knows it. */
export interface ModelScan {
	number: number;
	/** What was submitted. */
	url: string;
	/** Milliseconds since the epoch. */
	accepted: number;
	/** Seconds until it has finished; none: never. */
	takes?: number;
	code: string | null;
	/** Of its parts. */
	partCode: string;
}

const TOKENS = { count: 0 };
const FIRST_OTHER = 900_000;

interface Response {
	statusCode: number;
	headers: Record<string, string>;
	body: AsyncGenerator<Uint8Array> & {
		destroy: () => void;
		on: () => void;
		prependListener: () => void;
	};
}

export class ScanServiceFamily {
	readonly origin = 'https://scan.example.com';
	readonly token = `model-token-${++TOKENS.count}-0123456789`;
	readonly scans: ModelScan[] = [];
	/** When calls came, in milliseconds of the monotonic clock. */
	readonly callTimes: number[] = [];
	/** Submissions that reached the service, by what was submitted. */
	readonly submissions = new Map<string, number>();
	/** Numbers of scans of which an answer said that they themselves are clean. */
	readonly saidClean = new Set<number>();
	/** Records that a list showed as finished and clean. */
	cleanRecords = 0;

	constructor(
		readonly traits: Traits,
		private readonly clock: FakeClock,
		private readonly plan: (url: string) => Pick<ModelScan, 'takes' | 'code' | 'partCode'>,
		private readonly faults: Fault[],
		private readonly callMs: number,
	) {}

	accept(url: string, accepted = this.clock.now()): ModelScan {
		const scan = { number: 1001 + this.scans.length, url, accepted, ...this.plan(url) };
		this.scans.push(scan);
		return scan;
	}

	/** The ID that a submission is answered with, as text. */
	idOf({ number }: ModelScan): string {
		return this.traits.submittedId === 'composite' ? `C_${number}_20261101` : String(number);
	}

	/** As n8n's helper sends a request. */
	async request(options: IHttpRequestOptions): Promise<Response> {
		this.callTimes.push(this.clock.monotonic());
		const fault = this.faults.shift() ?? 'none';
		await this.clock.sleep(this.callMs);
		if (fault === 'none') return this.answer(options);
		if (fault.kind === 'refused') throw networkError('ECONNREFUSED');
		const answer = fault.after ? this.answer(options) : undefined;
		switch (fault.kind) {
			case 'status': {
				const location = 'https://elsewhere.example/login';
				const { retryAfter } = fault;
				const more = { location, ...(retryAfter !== undefined && { 'retry-after': retryAfter }) };
				return this.response(fault.status, this.errorBody(), more);
			}
			case 'reset':
				throw networkError('ECONNRESET');
			case 'silence':
				await this.clock.sleep(options.timeout ?? 0);
				throw networkError('ECONNABORTED');
			case 'cut':
				return { ...(answer ?? this.response(200, {})), body: stream('{"scan', true) };
			case 'webPage':
				return this.response(200, '<html><body>Sign in</body></html>');
			case 'notJson':
				return this.response(200, 'OK');
			case 'empty':
				return this.response(204, '');
		}
	}

	private answer({ method, url, body }: IHttpRequestOptions): Response {
		const { pathname, searchParams } = new URL(url);
		if (method === 'POST') return this.submitted(new URLSearchParams(body as string));
		if (pathname === '/api/v1/scans/list/') return this.list(searchParams);
		const id = /^\/api\/v1\/scans\/list\/([^/]+)\/$/.exec(pathname)?.[1];
		return id === undefined
			? this.response(404, this.errorBody())
			: this.get(decodeURIComponent(id));
	}

	private submitted(fields: URLSearchParams): Response {
		const url = fields.get('path') ?? '';
		this.submissions.set(url, (this.submissions.get(url) ?? 0) + 1);
		const scan = this.accept(url);
		const { submittedId, accepted } = this.traits;
		const bodies = {
			integer: { scan_id: scan.number },
			digits: { scan_id: String(scan.number) },
			composite: { scan_id: this.idOf(scan), status: 'ok' },
			missing: { id: scan.number },
			nested: { data: { scan_id: scan.number } },
			object: { scan_id: { id: scan.number } },
			empty: { scan_id: '' },
		};
		return this.response(accepted, bodies[submittedId]);
	}

	private get(id: string): Response {
		const { getGives } = this.traits;
		const scan = this.scans.find((one) => this.idOf(one) === id);
		if (getGives === 'webPage') return this.response(200, '<html></html>');
		if (scan === undefined || getGives === 'notFound') return this.response(404, this.errorBody());
		switch (getGives) {
			case 'own':
				this.note(scan);
				return this.response(200, { ...this.state(scan), id: scan.number, full_scan_id: id });
			case 'noIds':
				this.note(scan);
				return this.response(200, this.state(scan));
			case 'part':
				return this.response(200, { ...this.other(0), root_scan_id: id });
			case 'list':
				return this.response(200, { results: [this.state(scan)] });
			default:
				return this.response(200, this.other(0));
		}
	}

	private list(asked: URLSearchParams): Response {
		const start = Number(asked.get('start') ?? 0);
		const end = asked.has('end') ? Number(asked.get('end')) : Infinity;
		const now = this.clock.now() / 1000;
		const { longestWindow, mostScans, refusal, pageSize, exactSeconds } = this.traits;
		const isInside = (created: number) =>
			created >= start && (exactSeconds ? created < end : Math.floor(created) <= end);
		const found = [...this.scans.flatMap((scan) => this.listed(scan)), ...this.others(start, end)]
			.filter(({ created, listed }) => isInside(created) && listed <= now)
			.sort((a, b) => a.created - b.created);
		if (Math.min(end, now) - start > longestWindow || found.length > mostScans) {
			return this.response(refusal, this.errorBody());
		}
		const size = Math.min(pageSize, Number(asked.get('limit') ?? 20));
		const from = Number(asked.get('_cursor') ?? 0);
		const page = found.slice(from, from + size);
		for (const { scan, record } of page) {
			if (!this.isClean(record)) continue;
			this.cleanRecords++;
			if (scan && [record.id, record.full_scan_id].map(String).includes(this.idOf(scan))) {
				this.saidClean.add(scan.number);
			}
		}
		return this.response(200, {
			...this.count(found.length),
			page_result_count: page.length,
			...this.link(asked, from + size < found.length ? from + size : undefined),
			results: page.map(({ record }) => record),
		});
	}

	private count(all: number): object {
		const { count } = this.traits;
		if (count === 'missing') return {};
		return { count: { right: all, null: null, text: String(all) }[count] };
	}

	private link(asked: URLSearchParams, cursor: number | undefined): object {
		const { next: form, lastPage } = this.traits;
		if (cursor === undefined) {
			const last = { null: { next: null, has_more: false }, absent: {}, empty: { next: '' } };
			return lastPage === 'hasMoreOnly' ? { has_more: false } : last[lastPage];
		}
		const query = new URLSearchParams(asked);
		query.set('_cursor', String(form === 'same' ? 0 : cursor));
		const path = `/api/v1/scans/list/?${query.toString()}`;
		const forms = {
			...{ absolute: this.origin + path, http: `http://scan.example.com${path}`, relative: path },
			innerHost: `http://django:8000/api/v1/quarantine/release/7/?${query.toString()}`,
			...{ query: `?${query.toString()}`, bareQuery: query.toString(), number: 2 },
			same: this.origin + path,
		};
		return { next: forms[form], has_more: true };
	}

	/** The records of a scan in the list, and from when on they are there. Times are in seconds. */
	private listed(scan: ModelScan) {
		const { listedAs, notedAfter, listedAfter } = this.traits;
		const created = scan.accepted / 1000 + notedAfter;
		const times = { created, listed: created + listedAfter, scan };
		const [state, part] = [this.state(scan), this.state({ ...scan, code: scan.partCode })];
		const { number } = scan;
		const own = { ...state, id: number };
		const parts = [1, 2].map((one) => ({ ...part, id: number * 100 + one, root_scan_id: number }));
		const full = `C_${number}_20261101`;
		const records: Record<Traits['listedAs'], IDataObject[]> = {
			id: [own],
			idText: [{ ...own, id: String(number) }],
			both: [{ ...own, full_scan_id: full, root_scan_id: full }],
			full: [{ ...state, id: number + 500_000, full_scan_id: this.idOf(scan) }],
			withParts: [...parts, { ...own, full_scan_id: full }],
			partsOnly: parts,
			other: [{ ...state, id: number + 500_000, full_scan_id: `Z_${number}` }],
			noIds: [{ ...state, id: null, full_scan_id: null, root_scan_id: '' }],
		};
		return records[listedAs].map((record) => ({ ...times, record }));
	}

	/** Scans of others, all clean. */
	private others(start: number, end: number) {
		const { othersEvery } = this.traits;
		const now = this.clock.now() / 1000;
		const from = Math.ceil(Math.max(start, now - 1200) / othersEvery);
		const to = Math.floor(Math.min(end, now) / othersEvery);
		return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => {
			const created = (from + index) * othersEvery;
			return { created, listed: created, scan: undefined, record: this.other(from + index) };
		});
	}

	private other(index: number): IDataObject {
		const finished_at = new Date(this.clock.now() - 60_000).toISOString();
		const number = FIRST_OTHER + index;
		return { id: number, full_scan_id: `O_${number}`, finished_at, verbose_verdict: 'CLN' };
	}

	private state(scan: ModelScan): IDataObject {
		const finishes = scan.accepted + (scan.takes ?? Infinity) * 1000;
		const isFinished = finishes <= this.clock.now();
		const record: IDataObject = { created_at: new Date(scan.accepted).toISOString(), names: null };
		const finishedAt = isFinished ? this.finishedAt(finishes) : this.unfinishedAt();
		if (finishedAt !== undefined) record.finished_at = finishedAt;
		record.verbose_verdict = isFinished ? scan.code : this.traits.runsAsClean ? 'CLN' : null;
		return record;
	}

	private isClean({ finished_at, verbose_verdict }: IDataObject): boolean {
		return verbose_verdict === 'CLN' && finished_at !== this.unfinishedAt();
	}

	/** Get says of a scan itself what it is. */
	private note(scan: ModelScan): void {
		if (this.isClean(this.state(scan))) this.saidClean.add(scan.number);
	}

	private finishedAt(time: number): string | number {
		const iso = new Date(time).toISOString();
		return {
			iso,
			isoOffset: iso.replace('Z', '+00:00'),
			noZone: iso.slice(0, 19).replace('T', ' '),
			http: new Date(time).toUTCString(),
			seconds: Math.floor(time / 1000),
			milliseconds: time,
		}[this.traits.finishedAt];
	}

	private unfinishedAt(): IDataObject[string] {
		return {
			...{ null: null, missing: undefined, empty: '', year1970: '1970-01-01T00:00:00Z' },
			...{ word: 'pending', zero: 0, false: false },
		}[this.traits.unfinishedAt];
	}

	private errorBody(): unknown {
		const { errorBody } = this.traits;
		return {
			detail: { detail: 'Not possible now.' },
			field: { path: ['This field is not right.'], other: { code: 7 } },
			error: { error: { message: 'no', code: null } },
			text: 'just text',
			page: '<html><body><h1>Bad Gateway</h1></body></html>',
			empty: '',
			deep: { detail: { detail: { detail: { detail: { detail: {} } } } } },
			echo: { detail: `Token ${this.token} was refused` },
			encoded: { message: `for ${Buffer.from(this.token).toString('base64')}` },
		}[errorBody];
	}

	private response(status: number, body: unknown, more: Record<string, string> = {}): Response {
		const off = { right: 0, yearAhead: 365 * 86_400_000, before1970: -60 * 365 * 86_400_000 };
		const { date } = this.traits;
		const told =
			this.clock.now() + (date === 'ahead' ? 300_000 : date === 'missing' ? 0 : off[date]);
		const headers = {
			...more,
			...(date !== 'missing' && { date: new Date(told).toUTCString() }),
			'content-type': typeof body === 'string' ? 'text/plain' : 'application/json',
		};
		const text = typeof body === 'string' ? body : JSON.stringify(body);
		return { statusCode: status, headers, body: stream(text) };
	}
}

function networkError(code: string): Error {
	return Object.assign(new Error(`connect ${code}`), { code });
}

function stream(text: string, isCut = false): Response['body'] {
	async function* content() {
		if (text !== '') yield new TextEncoder().encode(text);
		if (isCut) throw networkError('ECONNRESET');
	}
	return Object.assign(content(), {
		destroy: () => undefined,
		on: () => undefined,
		prependListener: () => undefined,
	});
}
