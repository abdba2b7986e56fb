import { UserError } from 'n8n-workflow';

export interface TemplateValues {
	scanId: string;
	/** The code, e.g. `MAL`. */
	verdict: string;
	/** The word, e.g. `malicious`. */
	verdictWord: string;
	reason: string;
	comment: string;
}

/** A whole JSON string, or a placeholder outside of one. */
const STRING_OR_PLACEHOLDER = /"(?:[^"\\]|\\.)*"|\{([A-Za-z]\w*)\}/gs;

/** Inside a string. After a backslash nothing begins a placeholder. */
const ESCAPE_OR_PLACEHOLDER = /\\.|\{([A-Za-z]\w*)\}/gs;

/** An integer that means the same with and without quotes: no leading zero, no sign. */
const PLAIN_INTEGER = /^(0|[1-9]\d*)$/;

function refuse(field: string, what: string): UserError {
	return new UserError(`The ${field} of the credential ${what}`, {
		description: `It must be JSON. {scanId}, {verdict}, {verdictWord}, {reason} and {comment} are replaced by values, e.g. {"verdict": "{verdict}", "comment": "{reason}"}.`,
	});
}

/** A value as it stands inside a JSON string. */
function insideString(value: string): string {
	return JSON.stringify(value).slice(1, -1);
}

/** A value as it stands where JSON expects one: an id of digits as the number it looks like. */
function asValue(name: string, value: string): string {
	return name === 'scanId' && PLAIN_INTEGER.test(value) ? value : JSON.stringify(value);
}

function parses(json: string): boolean {
	try {
		JSON.parse(json);
		return true;
	} catch {
		return false;
	}
}

/**
 * The JSON text that a template gives. A placeholder inside a JSON string becomes part of that
 * string; a bare one becomes a JSON value of its own. Either way the value is quoted, so that no
 * text of a user can end the string it stands in.
 *
 * @param field Name of the credential field as an error text has it, in quotes.
 * @throws UserError when the template is not JSON, or names a placeholder that does not exist.
 */
export function fillTemplate(
	template: string,
	values: Partial<TemplateValues>,
	field: string,
): string {
	const known = new Map(Object.entries(values));
	const valueOf = (placeholder: string, name: string) => {
		const value = known.get(name);
		if (value === undefined) throw refuse(field, `holds the unknown placeholder ${placeholder}`);
		return value;
	};
	const filled = template.replace(STRING_OR_PLACEHOLDER, (part, bare?: string) => {
		if (bare !== undefined) return asValue(bare, valueOf(part, bare));
		return part.replace(ESCAPE_OR_PLACEHOLDER, (inside, name?: string) =>
			name === undefined ? inside : insideString(valueOf(inside, name)),
		);
	});
	if (!parses(filled)) throw refuse(field, 'is not valid JSON');
	return filled;
}
