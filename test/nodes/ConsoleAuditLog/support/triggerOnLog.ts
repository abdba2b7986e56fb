import type { IDataObject } from 'n8n-workflow';
import { ActiveTrigger, ModelConsole } from './modelConsole';
import type { ModelEntry } from './modelLog';
import { ModelLog } from './modelLog';

export const BEGIN = Date.UTC(2026, 2, 1);
export const MINUTE = 60_000;

/** An entry by its times, in milliseconds after `BEGIN`. */
export function entry(id: string, at: number, appearsAt = at): ModelEntry {
	const createdAt = new Date(BEGIN + at).toISOString();
	return {
		time: BEGIN + at,
		appearsAt: BEGIN + appearsAt,
		entry: { auditlogId: id, createdAt, action: 'login' },
	};
}

/** A trigger on a console with this log, at so many milliseconds after `BEGIN`. */
export function active(log: ModelEntry[], parameters: IDataObject = {}, at = 0) {
	const console = new ModelConsole(new ModelLog(log), BEGIN + at);
	return { console, trigger: new ActiveTrigger(console, parameters) };
}

export const state = (trigger: ActiveTrigger) => trigger.staticData.pollState as IDataObject;
