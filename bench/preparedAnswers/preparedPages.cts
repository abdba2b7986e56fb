import { parse } from 'node:querystring';
import { ManualClock } from '../../sandbox/clock.cts';
import { AuditLog } from '../../sandbox/console/auditLog.cts';
import { auditPage } from '../../sandbox/console/auditPages.cts';
import { ConsoleAccess } from '../../sandbox/console/consoleAccess.cts';
import { PageTokens } from '../../sandbox/console/pageToken.cts';
import type { ConsoleParts } from '../../sandbox/console/parts.cts';
import { defaultSettings } from '../../sandbox/settings.cts';
import { Faults } from '../../sandbox/wire/faults.cts';
import { Journal } from '../../sandbox/wire/journal.cts';
import { Refusal } from '../../sandbox/wire/refusal.cts';

export const PREPARED_SEED = 1;
/** Of the 365 days that the console keeps. */
const HISTORY_DAYS = 364;

export interface PreparedAnswer {
	status: number;
	body: Buffer;
}

/**
 * The sandbox's audit log, each page made once and kept: whoever asks for the same pages again gets
 * them at the speed of the wire. Time stands still, so that the same calls get the same tokens.
 */
export class PreparedPages {
	private readonly answers = new Map<string, PreparedAnswer>();
	private readonly parts: ConsoleParts;

	constructor(entries: number) {
		const clock = new ManualClock(Date.now());
		const settings = defaultSettings();
		Object.assign(settings.console, { historyEntries: entries, historyDays: HISTORY_DAYS });
		this.parts = {
			clock,
			settings,
			journal: new Journal(),
			faults: new Faults(),
			log: new AuditLog(clock, PREPARED_SEED, settings.console),
			tokens: new PageTokens(PREPARED_SEED),
			access: new ConsoleAccess(clock, PREPARED_SEED, settings.console),
		};
	}

	/** @param query As it was sent, without the question mark. */
	answer(query: string): PreparedAnswer {
		const known = this.answers.get(query);
		if (known) return known;
		const made = this.make(query);
		this.answers.set(query, made);
		return made;
	}

	private make(query: string): PreparedAnswer {
		try {
			return { status: 200, body: Buffer.from(auditPage({ ...parse(query) }, this.parts)) };
		} catch (error) {
			if (!(error instanceof Refusal)) throw error;
			return { status: error.status, body: Buffer.from(JSON.stringify(error.body)) };
		}
	}
}
