import type { IPollFunctions } from 'n8n-workflow';
import { UserError } from 'n8n-workflow';
import { operationError } from '../../../transport/errors/operationError';
import { KeptStart } from './keptStart';
import { freshState } from '../reading/pollState';
import type { PollState } from '../reading/pollState';
import { readStoredState } from '../reading/storedState';
import type { TriggerSettings } from './triggerSettings';

/** The one top-level key of the node's static data: n8n notices nothing below the top level. */
const STATE_KEY = 'pollState';

/**
 * Where triggers of this process started and n8n has stored nothing for them yet. With durable
 * cursors n8n does not keep what a silent poll at activation stored for the node, and everything up
 * to the first tick would be lost.
 */
const startingPoints = new Map<string, PollState>();

/** Triggers that this process stored a position for; any other was stopped, or killed, before. */
const storedHere = new Set<string>();

/**
 * The position of one trigger node: what n8n stored for it, and what this process knows besides.
 */
export class TriggerPosition {
	private readonly key: string;
	private readonly staticData: Record<string, unknown>;
	private readonly keptStart: KeptStart;
	private readonly stored: PollState | undefined;

	/** @throws NodeOperationError for a stored position that cannot be read. */
	constructor(
		private readonly context: IPollFunctions,
		private readonly settings: TriggerSettings,
		private readonly scope: string,
	) {
		this.key = triggerKey(context);
		this.staticData = context.getWorkflowStaticData('node');
		this.keptStart = new KeptStart(context);
		this.stored = this.readStored();
		if (!this.stored) return;
		startingPoints.delete(this.key);
		this.keptStart.drop();
	}

	/** Where the next reading begins; `undefined` for a trigger that starts now. */
	get current(): PollState | undefined {
		const { stored } = this;
		if (stored) {
			const afterRestart = this.settings.redeliverAfterRestart && !storedHere.has(this.key);
			return afterRestart && stored.undo ? stored.undo : stored;
		}
		const started = this.started;
		if (started?.scope === this.scope) return started;
		const { start } = this.settings;
		if (start.kind === 'now') return undefined;
		return freshState(this.scope, start.kind === 'date' ? start.since : undefined);
	}

	/** An older start must not come back when the scope has changed since, hence the condition. */
	private get started(): PollState | undefined {
		const isNew = this.staticData[STATE_KEY] === undefined;
		const inMemory = startingPoints.get(this.key);
		return inMemory ?? (isNew ? this.keptStart.read(this.scope) : undefined);
	}

	/** Keeps the moment from which a new trigger counts. */
	startAt(state: PollState): void {
		startingPoints.set(this.key, state);
		this.keptStart.keep(state);
		this.assign(state);
	}

	/** Keeps the position after a poll that handed over nothing. */
	moveSilently(state: PollState): void {
		this.assign(this.stored?.undo ? { ...state, undo: this.stored.undo } : state);
	}

	/** Keeps the position after a poll whose entries are about to be returned. */
	moveWithDelivery(from: PollState, to: PollState): void {
		const undo = { ...from, undo: undefined };
		this.assign(this.settings.redeliverAfterRestart ? { ...to, undo } : to);
	}

	/** One assignment of one top-level key: n8n stores all of it or nothing. */
	private assign(state: PollState): void {
		storedHere.add(this.key);
		this.staticData[STATE_KEY] = state;
	}

	private readStored(): PollState | undefined {
		const read = readStoredState(this.staticData[STATE_KEY], this.scope);
		switch (read.kind) {
			case 'state':
				return read.state;
			case 'none':
				return undefined;
			case 'otherScope':
				this.context.logger.warn(
					`${this.context.getNode().name}: the console, the ID field or the timestamp field was changed, so the trigger starts anew as 'Start From' says`,
				);
				return undefined;
			case 'newer':
			case 'unreadable':
				throw operationError(this.context.getNode(), unusable(read.kind));
		}
	}
}

function unusable(kind: 'newer' | 'unreadable'): UserError {
	const why = kind === 'newer' ? 'was written by a newer version of the package' : 'cannot be read';
	return new UserError(`The stored position of this trigger ${why}`, {
		description:
			'Nothing was read, so that nothing is lost or comes twice. Install the version that wrote it, or replace the node by a new one, which starts as its Start From says.',
	});
}

/** What tells one trigger of this process from all others. */
export function triggerKey(context: IPollFunctions): string {
	return `${context.getWorkflow().id}:${context.getNode().id}`;
}
