import { hexDigits } from '../deterministic.cts';
import type { Environment } from '../fixtures/accounts.cts';
import type { ScanningSettings } from '../settings.cts';
import type { NewScan, Scan, ScanStore } from './scanStore.cts';

/** Scans that come in by themselves, as emails do. Moments are milliseconds or ISO 8601. */
export interface ArrivingScan {
	/** When it is created; now unless told. */
	at?: string | number;
	/** From when on the list shows it; unless told, at once. Later than `at`: listed late. */
	appearAt?: string | number;
	/** When it finishes; after `scanDurationMs` unless told. null: never. */
	finishAt?: string | number | null;
	/** `MAL` unless told; a code that is not documented too. */
	verdict?: string;
	/** Verdicts that it gets later by itself. */
	changes?: Array<{ at: string | number; verdict: string }>;
	/** One that the environment has; its first unless told. */
	organizationId?: string;
	/** How many of them; 1 unless told. */
	times?: number;
}

const firstOrganization: Record<Environment, string> = { us: '1001', eu: '2001', aus: '3001' };

/** Of the scans that arrive by `arrivalsPerMinute`, one in so many is malicious or suspicious, never ends, or changes. */
const everyMalicious = 20;
const everySuspicious = 25;
const everyEndless = 500;
const everyChanging = 100;

const minuteMs = 60_000;

/** @throws RangeError for a text that is no moment. */
function momentOf<Fallback>(
	value: string | number | undefined,
	fallback: Fallback,
): number | Fallback {
	if (value === undefined) return fallback;
	const ms = typeof value === 'number' ? value : Date.parse(value);
	if (!Number.isFinite(ms)) throw new RangeError(`"${value}" is not a moment`);
	return ms;
}

/** Puts scans into the store that nobody submitted. */
export class Arrivals {
	private made = 0;
	private untilMs: number;

	constructor(
		private readonly environment: Environment,
		private readonly scans: ScanStore,
		private readonly settings: ScanningSettings,
		private readonly seed: number,
		nowMs: number,
	) {
		this.untilMs = nowMs;
	}

	/** @returns The scans, in the order given. */
	add(scans: readonly ArrivingScan[], nowMs: number): Scan[] {
		return scans.flatMap((scan) =>
			Array.from({ length: scan.times ?? 1 }, () => this.scans.add(this.email(scan, nowMs), false)),
		);
	}

	/** Makes what has arrived since it was last asked, at `arrivalsPerMinute`. */
	catchUp(nowMs: number): void {
		const { arrivalsPerMinute, scanDurationMs } = this.settings;
		const interval = minuteMs / arrivalsPerMinute;
		if (arrivalsPerMinute === 0) this.untilMs = nowMs;
		while (this.untilMs + interval <= nowMs) {
			this.untilMs += interval;
			const at = Math.floor(this.untilMs);
			const number = ++this.made;
			const takes = (scanDurationMs ?? 0) * (1 + (number % 10));
			const isEndless = scanDurationMs === null || number % everyEndless === 0;
			const isChanging = number % everyChanging === 1;
			const isSuspicious = number % everySuspicious === 0;
			const verdict = number % everyMalicious === 0 ? 'MAL' : isSuspicious ? 'SUS' : 'CLN';
			const changes = isChanging ? [{ at: at + takes + 30 * minuteMs, verdict: 'MAL' }] : [];
			this.add([{ at, finishAt: isEndless ? null : at + takes, verdict, changes }], nowMs);
		}
	}

	private email(scan: ArrivingScan, nowMs: number): NewScan {
		const createdAtMs = momentOf(scan.at, nowMs);
		const { scanDurationMs } = this.settings;
		const usualEnd = scanDurationMs === null ? null : createdAtMs + scanDurationMs;
		const number = this.scans.all().length;
		const subject = `Message ${number}`;
		return {
			organizationId: scan.organizationId ?? firstOrganization[this.environment],
			type: 'Email',
			origin: 'email',
			name: subject,
			path: null,
			verdict: scan.verdict ?? 'MAL',
			laterVerdicts: (scan.changes ?? []).map(({ at, verdict }) => ({
				atMs: momentOf(at, nowMs),
				verdict,
			})),
			createdAtMs,
			listedAtMs: momentOf(scan.appearAt, createdAtMs),
			finishesAtMs: scan.finishAt === null ? null : momentOf(scan.finishAt, usualEnd),
			sha256: hexDigits(this.seed, number).repeat(8),
			fileSize: 20_000,
			email: {
				fromAddress: `sender${number}@mail.example`,
				subject,
				originalMessageId: `<${hexDigits(this.seed + 1, number)}@mail.example>`,
			},
			callback: null,
			submission: { encoding: 'email', fields: [] },
		};
	}
}
