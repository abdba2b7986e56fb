import type { Environment } from '../fixtures/accounts.cts';
import type { JsonValue } from '../jsonValue.cts';
import type { JournalEntry, ServiceName } from './journal.cts';

/** Which calls a fault concerns; what is left out matches every call. */
export interface FaultMatch {
	service?: ServiceName;
	environment?: Environment;
	method?: string;
	/** Regular expression, tested against the path without the query. */
	path?: string;
	/** Of the calls that match, the first one that is hit, counted from 1. */
	nth?: number;
	/** How many calls are hit at most; 1 unless told, null: no end. */
	times?: number | null;
}

/**
 * What stands in the body: words for the usual mistakes, a JSON value, a text, a JSON text of so
 * many bytes, or the real answer without some of its fields.
 * `endless` runs as fast as it is read, `drip` sends a byte every 100 real milliseconds.
 */
export type FaultBody =
	| 'loginPage'
	| 'notJson'
	| 'wrongShape'
	| 'empty'
	| 'endless'
	| 'drip'
	| { json: JsonValue }
	| { text: string; contentType: string }
	| { bytes: number }
	| { without: string[] };

/** Where the connection is cut: before anything is sent, or before, in the middle of, or after the body. */
export type Cut = 'beforeAnswer' | 'beforeBody' | 'duringBody' | 'afterBody';

/** What happens to the call. Parts can be combined; a delay alone leaves the answer as it is. */
export interface FaultEffect {
	/** Milliseconds of the sandbox's clock. */
	delayMs?: number;
	/** The call is never answered. */
	hang?: boolean;
	status?: number;
	headers?: Record<string, string>;
	body?: FaultBody;
	/** Retry-After in seconds, or as a date so many seconds after the sandbox's now. */
	retryAfter?: { seconds: number } | { dateInSeconds: number };
	redirectTo?: string;
	cut?: Cut;
	/**
	 * Whether the call is carried out before its answer is spoiled. Unless told, it is where the
	 * real answer is needed: for `{ without }`, and for a cut during or after it.
	 */
	carryOut?: boolean;
}

export type FaultRule = FaultMatch & FaultEffect;

interface ActiveFault {
	id: number;
	rule: FaultRule;
	path: RegExp | null;
	matched: number;
	applied: number;
}

/** The faults that are switched on. The first one that hits a call is applied to it. */
export class Faults {
	private active: ActiveFault[] = [];
	private lastId = 0;

	/**
	 * @returns the number of the fault, as the journal shows it.
	 * @throws SyntaxError when `path` is not a regular expression.
	 */
	add(rule: FaultRule): number {
		const path = rule.path === undefined ? null : new RegExp(rule.path);
		this.active.push({ id: ++this.lastId, rule, path, matched: 0, applied: 0 });
		return this.lastId;
	}

	remove(id: number): boolean {
		const before = this.active.length;
		this.active = this.active.filter((fault) => fault.id !== id);
		return this.active.length < before;
	}

	clear(): void {
		this.active = [];
	}

	/** Every fault that is switched on, used up or not, with how often it matched and was applied. */
	list(): Array<{ id: number; matched: number; applied: number; rule: FaultRule }> {
		return this.active.map(({ id, matched, applied, rule }) => ({ id, matched, applied, rule }));
	}

	/** The fault that hits this call, if any; it counts as applied. */
	take(call: JournalEntry): FaultRule | undefined {
		for (const fault of this.active) {
			if (!concerns(fault, call)) continue;
			fault.matched += 1;
			const { nth = 1, times = 1 } = fault.rule;
			if (fault.matched < nth || (times !== null && fault.applied >= times)) continue;
			fault.applied += 1;
			call.fault = fault.id;
			return fault.rule;
		}
		return undefined;
	}
}

function concerns(fault: ActiveFault, call: JournalEntry): boolean {
	const { service, environment, method } = fault.rule;
	return (
		(service === undefined || service === call.service) &&
		(environment === undefined || environment === call.environment) &&
		(method === undefined || method === call.method) &&
		(fault.path === null || fault.path.test(call.path))
	);
}
