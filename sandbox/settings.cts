import { defaultConsoleHeaders } from './fixtures/accounts.cts';
import { isJsonObject } from './jsonValue.cts';

/** What a test or a benchmark can change about the scanning service, at any time. */
export interface ScanningSettings {
	/** Calls that one token may make in any 60 s (docs/interface.md, Limits: default 100). */
	callsPerMinute: number;
	/** Form of Retry-After on a 429. No source shows the header, so there is none by default. */
	retryAfter: 'none' | 'seconds' | 'date';
	/** How long a scan runs, in milliseconds of the clock; null: it never finishes. */
	scanDurationMs: number | null;
	/** `integer`: a record's `id` is the submitted integer. `unmatched`: no id of the record maps to it. */
	scanIdShape: 'integer' | 'unmatched';
	/** Type of `scan_id` in the answer to a submission: public material shows both. */
	scanIdType: 'integer' | 'string';
	/** Which ids find a scan at /scans/list/{id}/; public material shows the full id only. */
	getScanBy: 'fullScanId' | 'anyId';
	/** Whether a file scan without `name` is refused; public material says both. */
	nameRequired: boolean;
	/** Largest upload in bytes (public material: 500 MB). */
	maxFileBytes: number;
	/** Scans on a page of the list without `limit` (public material: 20). */
	defaultListLimit: number;
	/** Larger `limit`s are silently lowered to this. */
	maxListLimit: number;
	/** A list of more scans than this is answered with 500, as one public collector reports; null: never. */
	listCountLimit: number | null;
	/** Answer to a release: a JSON object, or 204 with no body. */
	releaseAnswer: 'json' | 'empty';
	/** Scans that come in by themselves in each minute of the clock from now on. */
	arrivalsPerMinute: number;
	/** Emails per organization that exist from the start. */
	emailsPerOrganization: number;
}

/** What a test or a benchmark can change about the console, at any time. */
export interface ConsoleSettings {
	/** Entries that exist when the sandbox starts, spread over `historyDays`. */
	historyEntries: number;
	/** Days before the start over which the history is spread; below 365, none of it expires at once. */
	historyDays: number;
	/** Entries that appear in each minute of the clock from now on. */
	ratePerMinute: number;
	/**
	 * The last page: `null` and `absent` (docs/interface.md, Audit log page), or `token`: a token that
	 * leads to an empty page and can be used again later (implied by published vendor code).
	 */
	endOfLog: 'null' | 'absent' | 'token';
	/** Entries on a page without `limit`; docs/interface.md (Versioning, Limits) does not show it. */
	defaultPageSize: number;
	/** Largest `limit`; docs/interface.md does not show it. */
	maxPageSize: number;
	/** What happens to a larger `limit`: 400, or a page of `maxPageSize`. */
	overMaxPageSize: 'refuse' | 'cap';
	/** Name of the id field in generated entries; null: they have none. */
	idField: string | null;
	/** Name of the timestamp field in generated entries; null: they have none. */
	timestampField: string | null;
	/** The request headers that authenticate; docs/interface.md does not show their names. */
	headers: Record<string, string>;
	/** How long a bearer token is good, in seconds of the clock. */
	bearerLifetimeSeconds: number;
}

export interface Settings {
	/** How far the `Date` header is off the clock, in milliseconds. */
	dateSkewMs: number;
	scanning: ScanningSettings;
	console: ConsoleSettings;
}

export interface SettingsPatch {
	dateSkewMs?: number;
	scanning?: Partial<ScanningSettings>;
	console?: Partial<ConsoleSettings>;
}

export function defaultSettings(): Settings {
	return {
		dateSkewMs: 0,
		scanning: {
			callsPerMinute: 100,
			retryAfter: 'none',
			scanDurationMs: 3_000,
			scanIdShape: 'integer',
			scanIdType: 'integer',
			getScanBy: 'fullScanId',
			nameRequired: false,
			maxFileBytes: 500 * 1024 * 1024,
			defaultListLimit: 20,
			maxListLimit: 1_000,
			listCountLimit: null,
			releaseAnswer: 'json',
			arrivalsPerMinute: 0,
			emailsPerOrganization: 8,
		},
		console: {
			historyEntries: 5_000,
			historyDays: 364,
			ratePerMinute: 0,
			endOfLog: 'null',
			defaultPageSize: 100,
			maxPageSize: 1_000,
			overMaxPageSize: 'refuse',
			idField: 'auditlogId',
			timestampField: 'createdAt',
			headers: { ...defaultConsoleHeaders },
			bearerLifetimeSeconds: 3_600,
		},
	};
}

/** Only what shapes the start cannot be changed later. */
export const onlyAtStart = ['emailsPerOrganization', 'historyEntries', 'historyDays'];

/**
 * Checks a change of settings by name and kind of value; null is for those that may be switched off.
 * @throws RangeError naming the first setting that does not exist or does not fit.
 */
export function checkedPatch(patch: SettingsPatch): SettingsPatch {
	checkAgainst(defaultSettings(), patch, '');
	return patch;
}

function checkAgainst(known: object, patch: object, path: string): void {
	for (const [name, value] of Object.entries(patch)) {
		const usual: unknown = Object.entries(known).find(([key]) => key === name)?.[1];
		if (usual === undefined) throw new RangeError(`There is no setting "${path}${name}"`);
		const isGroup = path === '' && name !== 'dateSkewMs';
		if (isGroup && isJsonObject(value)) checkAgainst(usual as object, value, `${name}.`);
		else if (usual !== null && value !== null && typeof value !== typeof usual) {
			throw new RangeError(`"${path}${name}" cannot be ${JSON.stringify(value)}`);
		}
	}
}

/** Takes over a checked change, in place: every reader sees it with its next call. */
export function applyPatch(settings: Settings, patch: SettingsPatch): void {
	if (patch.dateSkewMs !== undefined) settings.dateSkewMs = patch.dateSkewMs;
	Object.assign(settings.scanning, patch.scanning);
	Object.assign(settings.console, patch.console);
}
