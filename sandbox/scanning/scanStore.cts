import { uuidLike } from '../deterministic.cts';
import type { JsonObject } from '../jsonValue.cts';
import type { VerdictCode } from './verdicts.cts';
import { isHeldBack } from './verdicts.cts';

export type Quarantine = 'none' | 'quarantined' | 'released';

export interface Callback {
	/** null: no call back is wanted, but `params` come back in the answer. */
	url: string | null;
	params: JsonObject | null;
	headers: Record<string, string>;
}

export interface EmailDetails {
	fromAddress: string;
	subject: string;
	originalMessageId: string;
}

/** What a submission, or a seeded email, brings along. */
export interface NewScan {
	organizationId: string;
	type: 'File' | 'URL' | 'Email';
	origin: 'api' | 'email';
	name: string;
	path: string | null;
	/** A code; one that is not documented only where a test wants it. */
	verdict: string;
	/** What the verdict becomes by itself, in order of time. */
	laterVerdicts?: Array<{ atMs: number; verdict: string }>;
	createdAtMs: number;
	/** From when on the list shows it; at once unless told. */
	listedAtMs?: number;
	/** null: the scan never finishes. */
	finishesAtMs: number | null;
	sha256: string | null;
	fileSize: number | null;
	email: EmailDetails | null;
	callback: Callback | null;
	/** For tests: how it was sent, without any value that could be a secret. */
	submission: { encoding: string; fields: string[] };
}

export interface Scan extends NewScan {
	sequence: number;
	submittedId: number;
	recordId: number | string;
	fullScanId: string;
	rootScanId: string;
	quarantine: Quarantine;
	/** Set by a change of verdict or a release; the word is the sandbox's own. */
	handleStatus: 'open' | 'handled';
	verdictReason: string | null;
}

export interface Investigation {
	id: number;
	fullScanId: string;
	expectedVerdict: VerdictCode;
	comment: string;
	requestedBy: string;
	requestedAtMs: number;
}

/** The scans of one environment, in the order in which they were created. */
export class ScanStore {
	readonly investigations: Investigation[] = [];
	private readonly scans: Scan[] = [];
	private readonly byAnyId = new Map<string, Scan>();

	constructor(private readonly seed: number) {}

	/** @param unmatched The record gets an `id` that has nothing to do with the submitted integer. */
	add(scan: NewScan, unmatched: boolean): Scan {
		const sequence = this.scans.length + 1;
		const submittedId = 123_455 + sequence;
		const ids = this.longIds(sequence, scan.createdAtMs);
		const recordId = unmatched ? ids.opaqueId : submittedId;
		const held = scan.type === 'Email' && isHeldBack(scan.verdict);
		const stored: Scan = {
			...scan,
			sequence,
			submittedId,
			recordId,
			fullScanId: ids.fullScanId,
			rootScanId: ids.rootScanId,
			quarantine: held ? 'quarantined' : 'none',
			handleStatus: 'open',
			verdictReason: null,
		};
		this.scans.push(stored);
		for (const id of [String(recordId), ids.fullScanId]) this.byAnyId.set(id, stored);
		return stored;
	}

	/** Oldest first. */
	all(): readonly Scan[] {
		return this.scans;
	}

	byFullId(id: string): Scan | undefined {
		const scan = this.byAnyId.get(id);
		return scan?.fullScanId === id ? scan : undefined;
	}

	/** Finds a scan by `id` or `full_scan_id`. */
	byId(id: string): Scan | undefined {
		return this.byAnyId.get(id);
	}

	investigate(request: Omit<Investigation, 'id'>): Investigation {
		const investigation = { id: this.investigations.length + 1, ...request };
		this.investigations.push(investigation);
		return investigation;
	}

	/** `001E94824_1_<uuid>_20230607`, as public material shows it, and an id of 24 hexadecimal digits. */
	private longIds(sequence: number, createdAtMs: number) {
		const root = (0x1e94824 + sequence * 7).toString(16).toUpperCase().padStart(9, '0');
		const uuid = uuidLike(this.seed, sequence);
		const day = new Date(createdAtMs).toISOString().slice(0, 10).replaceAll('-', '');
		return {
			fullScanId: `${root}_1_${uuid}_${day}`,
			rootScanId: root,
			opaqueId: uuidLike(this.seed + 100, sequence)
				.replaceAll('-', '')
				.slice(0, 24),
		};
	}
}

/** The verdict of a finished scan at a moment of the clock. */
export function verdictOf({ verdict, laterVerdicts = [] }: Scan, nowMs: number): string {
	return laterVerdicts.filter(({ atMs }) => atMs <= nowMs).at(-1)?.verdict ?? verdict;
}

/** Whether a scan has finished by a moment of the clock. */
export function isFinished(scan: Scan, nowMs: number): boolean {
	return scan.finishesAtMs !== null && scan.finishesAtMs <= nowMs;
}
