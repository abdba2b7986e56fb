import { licensedFunctions, roles } from '../fixtures/accounts.cts';
import { cuts, faultBodyWords } from '../wire/faults.cts';

/** What the control API accepts, as JSON schemas; the types beside the routes say the same. */
const object = (properties: Record<string, unknown>, required: string[] = []) => ({
	type: 'object',
	properties,
	required,
	additionalProperties: false,
});
const text = { type: 'string' };
const flag = { type: 'boolean' };
const whole = { type: 'integer', minimum: 0 };
const texts = { type: 'object', additionalProperties: text };
const moment = { type: ['string', 'number'] };

const faultBody = {
	anyOf: [
		{ enum: faultBodyWords },
		object({ json: {} }, ['json']),
		object({ text, contentType: text }, ['text', 'contentType']),
		object({ bytes: { type: 'integer', minimum: 16 } }, ['bytes']),
		object({ without: { type: 'array', items: text } }, ['without']),
	],
};

export const faultSchema = object({
	service: { enum: ['scan', 'console', 'token'] },
	environment: { enum: ['us', 'eu', 'aus'] },
	method: text,
	path: text,
	nth: { type: 'integer', minimum: 1 },
	times: { type: ['integer', 'null'], minimum: 1 },
	probability: { type: 'number', minimum: 0, maximum: 1 },
	seed: { type: 'integer' },
	delayMs: whole,
	delayClock: { enum: ['sandbox', 'real'] },
	hang: flag,
	status: { type: 'integer', minimum: 200, maximum: 599 },
	headers: texts,
	body: faultBody,
	retryAfter: {
		anyOf: [
			object({ seconds: { type: 'number' } }, ['seconds']),
			object({ dateInSeconds: { type: 'number' } }, ['dateInSeconds']),
		],
	},
	redirectTo: text,
	cut: { enum: cuts },
	carryOut: flag,
});

export const entriesSchema = {
	type: 'array',
	items: object({
		entry: { type: 'object' },
		at: moment,
		appearAt: moment,
		times: { type: 'integer', minimum: 1, maximum: 100_000 },
	}),
};

export const tokenSchema = object({ revoked: flag, role: { enum: roles } });

export const licenseSchema = object(
	Object.fromEntries(licensedFunctions.map((name) => [name, flag])),
);

export const revokedSchema = object({ revoked: flag }, ['revoked']);

export const advanceSchema = object({ ms: whole }, ['ms']);
