import type { INode } from 'n8n-workflow';
import type { Sandbox } from '../../../sandbox/createSandbox.cts';
import type { SettingsPatch } from '../../../sandbox/settings.cts';

/** One of the package's triggers, and what the sandbox has for it. */
export interface PolledTrigger {
	/** The node's `name`, without the package. */
	type: string;
	credentialType: string;
	/** What its form has beyond Poll Times and Options. */
	parameters(startFrom: 'now' | 'oldest'): INode['parameters'];
	/** With these settings the sandbox starts with nothing for it. */
	nothingYet: SettingsPatch;
	/** Lets so many entries come in each minute, or a quarter as many scans. */
	arrivals(perMinute: number): SettingsPatch;
	/** Ids of all that it has to deliver by now. */
	ids(sandbox: Sandbox): string[];
}

export const auditLogTrigger: PolledTrigger = {
	type: 'consoleAuditLogTrigger',
	credentialType: 'browserConsoleHeadersApi',
	parameters: (startFrom) => ({ authentication: 'headers', startFrom }),
	nothingYet: { console: { historyEntries: 0 } },
	arrivals: (perMinute) => ({ console: { ratePerMinute: perMinute } }),
	ids: (sandbox) => sandbox.entryIds().map(String),
};

const HOUR_MS = 3_600_000;

/** It starts the workflow with every verdict. Scans take one to ten seconds; one in 500 never ends. */
export const scanTrigger: PolledTrigger = {
	type: 'contentScanTrigger',
	credentialType: 'contentScanApi',
	parameters: (startFrom) => ({
		verdicts: [],
		...(startFrom === 'now'
			? { startFrom }
			: { startFrom: 'date', startDate: new Date(Date.now() - HOUR_MS).toISOString() }),
	}),
	nothingYet: { scanning: { emailsPerOrganization: 0 } },
	// 43,200 a day. From 100 a minute on, its share of the calls lets the trigger fall minutes behind.
	arrivals: (perMinute) => ({
		scanning: { arrivalsPerMinute: perMinute / 4, scanDurationMs: 1_000 },
	}),
	ids: (sandbox) =>
		sandbox
			.scans('us')
			.map(({ record }) => record)
			.filter(({ finished_at }) => finished_at)
			.map(({ full_scan_id }) => String(full_scan_id)),
};
