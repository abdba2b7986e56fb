import type { IDataObject } from 'n8n-workflow';
import {
	auditLogTrigger,
	scanTrigger,
	type PolledTrigger,
} from '../triggerInN8n/polledTrigger.cts';

/** One way to run the trigger in n8n, and what it has to keep when n8n is killed. */
export interface KillMode {
	/** As it is written in the page of figures. */
	title: string;
	trigger: PolledTrigger;
	/** n8n settings, as environment variables. */
	settings: Record<string, string>;
	/** The trigger's `options`. */
	options: IDataObject;
	/** What must not happen. What may happen is only counted. */
	forbids: ReadonlyArray<'lost' | 'twice'>;
}

/** All four are needed together; n8n keeps to its default mode otherwise. */
const DURABLE_CURSORS: Record<string, string> = {
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
	N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'true',
};

/** Handed over, n8n's default mode writes state and execution side by side, so it can promise neither. */
export const killModes = {
	default: {
		title: 'Default mode, handed over',
		trigger: auditLogTrigger,
		settings: {},
		options: {},
		forbids: [],
	},
	'default-finished': {
		title: 'Default mode, finished',
		trigger: auditLogTrigger,
		settings: {},
		options: { moveOn: 'finished' },
		forbids: ['lost'],
	},
	'default-succeeded': {
		title: 'Default mode, succeeded',
		trigger: auditLogTrigger,
		settings: {},
		options: { moveOn: 'succeeded' },
		forbids: ['lost'],
	},
	durable: {
		title: 'Durable cursors, handed over',
		trigger: auditLogTrigger,
		settings: DURABLE_CURSORS,
		options: {},
		forbids: ['lost', 'twice'],
	},
	'durable-finished': {
		title: 'Durable cursors, finished',
		trigger: auditLogTrigger,
		settings: DURABLE_CURSORS,
		options: { moveOn: 'finished' },
		forbids: ['lost'],
	},
	'scans-default-finished': {
		title: 'Content Scan Trigger, default mode, finished',
		trigger: scanTrigger,
		settings: {},
		options: { moveOn: 'finished' },
		forbids: ['lost'],
	},
	'scans-durable-finished': {
		title: 'Content Scan Trigger, durable cursors, finished',
		trigger: scanTrigger,
		settings: DURABLE_CURSORS,
		options: { moveOn: 'finished' },
		forbids: ['lost'],
	},
} satisfies Record<string, KillMode>;

export type KillModeName = keyof typeof killModes;

export const killModeNames = Object.keys(killModes) as KillModeName[];

export function killMode(name: KillModeName): KillMode {
	return killModes[name];
}
