import type { AuditLogEntry } from '../../../services/console/auditLogEntry';
import { entryTime, USUAL_FIELDS } from '../../../services/console/auditLogEntry';
import { believedTime } from '../../../services/serverTime';
import type { Clock } from '../../../transport/clock';

/** Clocks differ by a little, and a reading is recorded somewhat after the console told its time. */
const MINUTE_MS = 60_000;

/**
 * Tells entries that came while the log is read from those that were there before, but are dated ahead of the clock:
 * a console may write local time without a zone.
 */
export class ReadingTime {
	/** By the later of the two clocks, as one of them may be behind. */
	readonly begun: number;
	private readonly started: number;

	/** @param serverTime As the first answer tells it. */
	constructor(
		serverTime: number | undefined,
		private readonly clock: Clock,
	) {
		const now = clock.now();
		this.begun = Math.max(believedTime(serverTime, now) ?? now, now);
		this.started = clock.monotonic();
	}

	/** @param entry One that was just read. */
	cameMeanwhile(entry: AuditLogEntry | undefined): boolean {
		return this.timeOf(entry) > this.begun && !this.isDatedAhead(entry);
	}

	/** @param entry One that was just read. */
	isDatedAhead(entry: AuditLogEntry | undefined): boolean {
		const passed = this.clock.monotonic() - this.started;
		return this.timeOf(entry) > this.begun + passed + MINUTE_MS;
	}

	private timeOf(entry: AuditLogEntry | undefined): number {
		return (entry && entryTime(entry, USUAL_FIELDS)) ?? -Infinity;
	}
}
