import type { IDataObject } from 'n8n-workflow';

/** One way to run the trigger in n8n, and what it has to keep when n8n is killed. */
export interface KillMode {
	/** As it is written in the page of figures. */
	title: string;
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
	default: { title: 'Default mode, handed over', settings: {}, options: {}, forbids: [] },
	'default-finished': {
		title: 'Default mode, finished',
		settings: {},
		options: { moveOn: 'finished' },
		forbids: ['lost'],
	},
	durable: {
		title: 'Durable cursors, handed over',
		settings: DURABLE_CURSORS,
		options: {},
		forbids: ['lost', 'twice'],
	},
	'durable-finished': {
		title: 'Durable cursors, finished',
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
