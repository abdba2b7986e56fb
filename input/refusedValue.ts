import { UserError } from 'n8n-workflow';

/** Longest quotation of a refused value in an error, in characters. */
const MOST_SHOWN = 200;

function shown(value: unknown): string {
	if (typeof value === 'bigint') return `${value}n`;
	const json = JSON.stringify(value) ?? String(value);
	return json.length > MOST_SHOWN ? `${json.slice(0, MOST_SHOWN)}…` : json;
}

/** The error for a value that a field cannot take: what is wrong, what the value is, what to do. */
export function refusedValue(message: string, value: unknown, advice?: string): UserError {
	return new UserError(message, {
		description: `It is ${shown(value)}. ${advice ?? 'Correct the field or its expression.'}`,
	});
}
