import type { JsonValue } from '../jsonValue.cts';

/** An answer other than success, thrown where a rule is broken and sent in one place. */
export class Refusal extends Error {
	constructor(
		readonly status: number,
		readonly body: JsonValue,
		readonly headers: Readonly<Record<string, string>> = {},
	) {
		super(`Refused with ${status}`);
	}
}

/** `{"detail": …}`: what public material shows of the scanning service's errors. */
export function detail(
	status: number,
	text: string,
	headers?: Readonly<Record<string, string>>,
): Refusal {
	return new Refusal(status, { detail: text }, headers);
}

/** `{"field": ["…"]}` with status 400: a field that is missing or does not fit. */
export function fieldError(field: string, text: string): Refusal {
	return new Refusal(400, { [field]: [text] });
}

/** `{"message": …}`: the console's errors. docs/interface.md (Errors) shows no body; this is the sandbox's own. */
export function message(
	status: number,
	text: string,
	headers?: Readonly<Record<string, string>>,
): Refusal {
	return new Refusal(status, { message: text }, headers);
}
