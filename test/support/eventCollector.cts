import { isRecord } from '../../transport/isRecord';
import type { ReceivedCall, ReceiverAnswer } from '../sandbox/receiver.cts';
import { parsedJson } from './parsedJson.cts';

/** An event as it was stored. */
interface CollectedEvent {
	event: unknown;
	time?: unknown;
	fields?: unknown;
}

/** A code of the collector, with its words. */
type Fault = readonly [code: number, text: string];

const INVALID_FORMAT: Fault = [6, 'Invalid data format'];

/**
 * The event endpoint of Splunk's HTTP Event Collector, with the codes of its documentation: JSON
 * objects one after the other, of which the first that is refused is named and ends the reading. Where
 * the documentation is silent it is the stricter one: a `time` of null is refused, and what came before
 * an event that is refused is stored.
 */
export class EventCollector {
	static readonly authorization = 'Splunk 0f6d7c0e-35a5-4f0b-9a3c-5d0d4f0e7b11';

	readonly events: CollectedEvent[] = [];

	answer({ method, path, headers, body }: ReceivedCall): ReceiverAnswer {
		if (method !== 'POST' || path !== '/services/collector/event') return 404;
		const { authorization } = headers;
		if (authorization === undefined) return refusal(401, [2, 'Token is required']);
		if (!/^Splunk \S+$/.test(authorization)) return refusal(401, [3, 'Invalid authorization']);
		if (authorization !== EventCollector.authorization) return refusal(403, [4, 'Invalid token']);
		if (body.trim() === '') return refusal(400, [5, 'No data']);
		for (const [number, line] of body.trimEnd().split('\n').entries()) {
			const event = parsedJson(line);
			const fault = faultOf(event);
			if (fault) return refusal(400, fault, { 'invalid-event-number': number });
			this.events.push(event as CollectedEvent);
		}
		return { status: 200, json: { text: 'Success', code: 0 } };
	}
}

function faultOf(event: unknown): Fault | undefined {
	if (!isRecord(event)) return INVALID_FORMAT;
	if (!('event' in event)) return [12, 'Event field is required'];
	if (event.event === '') return [13, 'Event field cannot be blank'];
	if (event.event === null) return INVALID_FORMAT;
	if ('time' in event && !isTime(event.time)) return INVALID_FORMAT;
	if ('fields' in event && !isFlat(event.fields)) return [15, 'Error in handling indexed fields'];
	return undefined;
}

/** Seconds since the epoch, as a number or as text. */
function isTime(time: unknown): boolean {
	return typeof time === 'number' || (typeof time === 'string' && /^\d+(\.\d+)?$/.test(time));
}

function isFlat(fields: unknown): boolean {
	return isRecord(fields) && Object.values(fields).every((value) => !isRecord(value));
}

function refusal(status: number, [code, text]: Fault, more: object = {}): ReceiverAnswer {
	return { status, json: { text, code, ...more } };
}
