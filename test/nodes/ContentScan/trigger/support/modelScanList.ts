import type { INode } from 'n8n-workflow';
import type { ScanRecord } from '../../../../../services/scanning/scanRecord';
import type { ScanService } from '../../../../../services/scanning/scanService';
import { callMaker } from '../../../../../services/scanning/scanService';
import type { Answer, Call, CallContext, Service } from '../../../../../transport/call';
import type { Clock } from '../../../../../transport/clock';
import { callError } from '../../../../../transport/errors/callError';
import type { CallFailure } from '../../../../../transport/errors/failure';
import { statusFailure } from '../../../../../transport/errors/failure';
import type { Failure, ModelScan, PageFault, Traits } from './scanListTraits';
import { FLAWS, PLAIN, listTimes, verdictAt } from './scanListTraits';

/** How long the list may leave out a scan after its creation, in seconds. */
const LATE = 600;

const node = { id: 'n', name: 'Node', type: 't', typeVersion: 1 } as unknown as INode;

const HOUR = 3600;
const WRONG_DATES = {
	year10000: () => Date.UTC(10_000, 0, 1),
	before1970: () => Date.UTC(1969, 0, 1),
	yearAhead: (now: number) => now + 365 * 24 * HOUR * 1000,
	ahead: (now: number) => now + (HOUR / 2) * 1000,
	minutesAhead: (now: number) => now + (HOUR / 12) * 1000,
	behind: (now: number) => now - (HOUR / 2) * 1000,
	hoursBehind: (now: number) => now - 6 * HOUR * 1000,
	still: () => Date.UTC(2026, 5, 15, 12, 1),
};

let tokens = 0;

/** The list of scans behind the transport's contract, with a clock that a test or its calls move. */
export class ModelScanList implements Service {
	readonly origin = 'https://scan.example.com';
	readonly delays = { calls: 0, longestMs: 0 };
	/** Milliseconds of its clock. */
	now = 0;
	calls = 0;
	nextFault: () => PageFault = () => 'none';
	/** By how much n8n's clock is ahead of the service's, in milliseconds. */
	n8nAhead = 0;
	readonly clock: Clock = {
		now: () => this.now + this.n8nAhead,
		monotonic: () => this.now,
		sleep: async (ms) => {
			this.now += Math.max(0, ms);
		},
	};
	private cursors = 0;
	private isSpent = false;

	/** This service behind a token of its own. */
	readonly service: ScanService;

	/** @param scans In the order of their creation. */
	constructor(
		readonly scans: ModelScan[],
		readonly traits: Traits = PLAIN,
		callsPerMinute = 100,
	) {
		const tokenKey = `model token ${++tokens}`;
		this.service = {
			service: this,
			callsPerMinute,
			tokenKey,
			call: callMaker({} as never),
			quoted: async (text) => text,
		};
	}

	beginPoll(): void {
		this.isSpent = false;
	}

	async send(call: Call, { deadline }: CallContext = {}): Promise<Answer> {
		if (this.isSpent) throw new Error('a call after 429');
		if (call.method !== 'GET' || !call.path.endsWith('scans/list/'))
			throw new Error('not the list');
		this.calls++;
		const fault = this.nextFault();
		if (fault === 429) this.isSpent = true;
		const isFailure = !FLAWS.some((flaw) => flaw === fault);
		const body = isFailure
			? this.bodyOfFailure(fault as Failure, call, deadline)
			: this.page(call, fault, deadline);
		const date = fault === 'wrongDate' ? this.now + 5 * HOUR * 1000 : this.date;
		const headers: Record<string, string> =
			date === undefined ? {} : { date: new Date(date).toUTCString() };
		return { status: 200, headers, body, bytes: 0, tookMs: 0 };
	}

	async wrongShape(call: Pick<Call, 'purpose'>, detail: string) {
		return this.error({ kind: 'wrongShape', detail }, call);
	}

	async toldError(call: Pick<Call, 'purpose'>) {
		return this.error({ kind: 'toldError' }, call);
	}

	private get date(): number | undefined {
		const { date } = this.traits;
		if (date === 'missing') return undefined;
		return date === 'right' ? this.now : WRONG_DATES[date](this.now);
	}

	private page(call: Call, fault: PageFault, deadline?: number): unknown {
		const asked =
			call.rawQuery === undefined
				? new URLSearchParams(
						Object.entries(call.query ?? {}).map(([key, one]) => [key, String(one)]),
					)
				: new URLSearchParams(call.rawQuery);
		const cursor = asked.get('_cursor')?.split(' ') ?? [];
		const [start, end] = [Number(asked.get('start')), Number(asked.get('end'))];
		const offset = Number(cursor[0] ?? 0);
		const found = this.inWindow(start, end);
		if (cursor.length === 0 && this.isRefused(found, end - start)) {
			return this.bodyOfFailure(this.traits.refusal, call, deadline, found);
		}
		const size = Math.min(this.traits.pageSize, Number(asked.get('limit')));
		const slice = found.slice(offset, offset + size);
		if (fault === 'leavesOut') this.leaveOut(slice, found);
		const isLast = offset + size >= found.length;
		const after = this.offsetAfter(offset, size, isLast, fault);
		return {
			...this.count(found.length, slice.length),
			...this.link(after, { start, end, size }),
			results: slice.map((scan) => this.recordOf(scan)),
		};
	}

	/** The body of a failure that has one with status 200. */
	private bodyOfFailure(
		failure: Failure,
		call: Call,
		deadline?: number,
		found: ModelScan[] = this.inWindow(0, Infinity),
	): object {
		if (failure === 'noList') return { detail: 'no' };
		if (failure !== 'partly') throw this.failed(failure, call, deadline);
		const results = found.slice(1, 10).map((scan) => this.recordOf(scan));
		return { results, next: null, errors: [{ message: 'Shard 1 of 2 timed out' }] };
	}

	private isRefused(found: ModelScan[], long: number): boolean {
		const { longestWindow, mostScans } = this.traits;
		if (long > Math.max(1, longestWindow) || (found.length > mostScans && long > 1)) return true;
		const now = this.now / 1000;
		return found.some(({ failsFrom = 0, failsUntil = 0 }) => failsFrom <= now && now < failsUntil);
	}

	/** Takes a new scan out of a page, and out of what is counted. */
	private leaveOut(slice: ModelScan[], found: ModelScan[]): void {
		const index = slice.findIndex((scan) => this.listTime(scan) > this.now / 1000 - LATE);
		if (index < 0) return;
		const [scan] = slice.splice(index, 1);
		found.splice(found.indexOf(scan), 1);
	}

	/** @returns Where `next` leads; `undefined`: there is none. */
	private offsetAfter(
		offset: number,
		size: number,
		isLast: boolean,
		fault: PageFault,
	): number | 'noNext' | undefined {
		if (fault === 'repeats') return offset;
		if (!isLast) return fault === 'endsEarly' ? undefined : offset + size;
		switch (this.traits.lastPage) {
			case 'hasMoreOnly':
				return 'noNext';
			case 'repeats':
				return offset;
			case 'startsAgain':
				return 0;
			case 'emptyPages':
				return offset + size;
			default:
				return undefined;
		}
	}

	private link(
		after: number | 'noNext' | undefined,
		{ start, end, size }: Record<'start' | 'end' | 'size', number>,
	): object {
		if (after === 'noNext') return { next: null, has_more: true };
		if (after === undefined) {
			const { lastPage } = this.traits;
			return lastPage === 'absent'
				? {}
				: { next: lastPage === 'empty' ? '' : null, has_more: false };
		}
		// One that is asked for anew each time looks new each time.
		const mark = this.traits.lastPage === 'emptyPages' ? ` ${++this.cursors}` : '';
		const query = new URLSearchParams({
			...{ start: String(start), end: String(end), limit: String(size) },
			_cursor: `${after}${mark}`,
		}).toString();
		const next = {
			absolute: `${this.origin}/api/v1/scans/list/?${query}`,
			http: `http://scan.example.com/api/v1/scans/list/?${query}`,
			innerHost: `http://django:8000/api/v1/quarantine/release/7/?${query}`,
			relative: `/api/v1/scans/list/?${query}`,
			query: `?${query}`,
			bareQuery: query,
		}[this.traits.next];
		return { next, ...(this.traits.lastPage !== 'absent' && { has_more: true }) };
	}

	private count(all: number, here: number): object {
		const { count } = this.traits;
		if (count === 'missing') return {};
		const counts = { right: all, null: null, ofPage: here, ofAll: this.scans.length };
		return { count: counts[count], page_result_count: here };
	}

	private inWindow(start: number, end: number): ModelScan[] {
		const { exactSeconds, order, goesBy } = this.traits;
		const last = exactSeconds ? end - 1 : end;
		const seconds = this.now / 1000;
		const found: ModelScan[] = [];
		// Whatever a scan's time is now, it was created before.
		const first = goesBy === 'creation' ? this.firstFrom(start) : 0;
		for (let index = first; index < this.scans.length; index++) {
			const scan = this.scans[index];
			if (scan.created > last) break;
			const time = this.listTime(scan);
			if (scan.listed <= seconds && time >= start && time <= last) found.push(scan);
		}
		if (goesBy === 'finish') found.sort((a, b) => this.listTime(a) - this.listTime(b));
		if (order === 'reversed') found.reverse();
		if (order === 'shuffled') found.sort((a, b) => (a.id < b.id ? -1 : 1));
		return found;
	}

	/** The time by which the list has a scan now. */
	private listTime(scan: ModelScan): number {
		const times = listTimes(scan, this.traits);
		return times.filter((time) => time <= this.now / 1000).at(-1) ?? scan.created;
	}

	private firstFrom(start: number): number {
		let low = 0;
		let high = this.scans.length;
		while (low < high) {
			const middle = (low + high) >> 1;
			if (this.scans[middle].created < start) low = middle + 1;
			else high = middle;
		}
		return low;
	}

	private recordOf(scan: ModelScan): ScanRecord {
		const code = verdictAt(scan, this.now / 1000);
		const unknown = { null: null, missing: undefined, empty: '' }[this.traits.unknown];
		const finished = code === undefined ? unknown : this.finishedAt(scan.verdicts[0].at);
		const record: ScanRecord = {
			...this.ids(scan, code !== undefined),
			names: [scan.id],
			created_at: this.createdAt(scan),
			finished_at: finished,
			verbose_verdict: code === undefined || code === '' ? unknown : code,
		};
		for (const key of Object.keys(record)) if (record[key] === undefined) delete record[key];
		return record;
	}

	private finishedAt(second: number): string | number {
		const time = new Date(second * 1000);
		return { iso: time.toISOString(), epoch: second, words: time.toUTCString() }[
			this.traits.finishedAt
		];
	}

	private ids({ id }: ModelScan, isFinished: boolean): ScanRecord {
		// No scan has the number 0.
		const number = Number(/\d+$/.exec(id)?.[0]) + 1;
		const long = `001E_${number}_20230607`;
		switch (this.traits.ids) {
			case 'text':
				return { id };
			case 'number':
				return { id: number };
			case 'later':
				return { id: isFinished ? number : null };
			case 'composite':
				return { id: number, full_scan_id: long };
			case 'compositeLater':
				return { id: number, full_scan_id: isFinished ? long : null };
			case 'compositeFirst':
				return { id: number, full_scan_id: isFinished ? null : long };
			case 'none':
				return { id: null };
		}
	}

	private createdAt({ id, created }: ModelScan): ScanRecord[string] {
		const off = id.length % 7 === 0 ? 290 : 10 * (id.length % 7) + Number(/\d+$/.exec(id)?.[0]);
		const iso = (seconds: number) => new Date(seconds * 1000 + 700).toISOString();
		switch (this.traits.createdAt) {
			case 'right':
				return iso(created);
			case 'missing':
				return undefined;
			case 'null':
				return null;
			case 'earlier':
				return iso(created - off);
			case 'later':
				return iso(created + off);
			case 'local':
				return iso(created - 5 * HOUR).replace('Z', '');
		}
	}

	private failed(failure: Failure, call: Call, deadline?: number) {
		if (failure === 'noAnswer') this.now = Math.max(this.now, (deadline ?? 0) - this.n8nAhead);
		if (failure === 'unreachable') return this.error({ kind: 'refusedConnection' }, call);
		if (typeof failure === 'string') return this.error({ kind: failure as 'answerCut' }, call);
		return this.error({ kind: statusFailure(failure) ?? 'webPage', status: failure }, call);
	}

	private error(failure: CallFailure, { purpose }: Pick<Call, 'purpose'>) {
		return callError(node, failure, { purpose, serviceName: 'scanning service' });
	}
}
