import { UserError } from 'n8n-workflow';
import { shortened, shown } from '../../../input/enteredValues';
import { parsedTime } from '../../../input/parsedTime';

/** What a line of text can say of an entry. */
interface LineValues {
	/** The entry as JSON on one line. */
	entry: string;
	/** Its time as the console wrote it; nothing where it has none. */
	time: unknown;
	/** Its event key. A function, since it costs a hash. */
	eventKey: () => string;
}

/** The line of one entry, without the newline at its end. */
export type Line = (values: LineValues) => string;

const wholeEntry: Line = ({ entry }) => entry;

const PLACEHOLDERS = new Map<string, Line>([
	['{entry}', wholeEntry],
	['{eventKey}', ({ eventKey }) => eventKey()],
	// Without its quotes: the template has them.
	['{time}', ({ time }) => JSON.stringify(asText(time)).slice(1, -1)],
	['{epoch}', ({ time }) => String(epochSeconds(time))],
]);

/** What is no part of a template's own JSON: it would stand in every line. */
const LOOKS_LIKE_ONE = /\{ ?[a-z_][\w.-]* ?\}/i;

/** An expression of n8n, which would too: JSON has no two braces in a row. */
const EXPRESSION = /\{\{[^{}]*\}{0,2}/;

const PLACEHOLDER = /(\{(?:entry|eventKey|time|epoch)\})/;

/** Where a template's own JSON begins. */
const OWN_JSON = /^\s*\{\s*"/;

/** Of an entry that is not taken for the template's own JSON. */
const SAMPLE: LineValues = { entry: '[""]', time: '2026-01-31T12:00:00Z', eventKey: () => 'e1' };

function isJson(text: string): boolean {
	try {
		JSON.parse(text);
		return true;
	} catch {
		return false;
	}
}

/** One JSON text, or several one after the other, as Splunk takes them. */
function isJsonSequence(text: string): boolean {
	const whole = text.trimEnd();
	const ends = [...whole.matchAll(/[}\]](?=\s*[{[])/g)].map(({ index }) => index + 1);
	let read = 0;
	for (const end of [...ends, whole.length]) {
		if (isJson(whole.slice(read, end))) read = end;
	}
	return read === whole.length;
}

/** The line of a template that would be JSON but for a mistake: its receiver would refuse every entry. */
function brokenJson(template: string, line: Line): string | undefined {
	const text = line(SAMPLE);
	if (isJsonSequence(text)) return undefined;
	const broken = text.split('\n').findIndex((one) => OWN_JSON.test(one) && !isJsonSequence(one));
	return template.split('\n')[broken];
}

function asText(time: unknown): string {
	return typeof time === 'string' || typeof time === 'number' ? String(time) : '';
}

/** Seconds with milliseconds, as Splunk takes them. */
function epochSeconds(time: unknown): number | null {
	const milliseconds = parsedTime(time);
	return milliseconds === undefined ? null : milliseconds / 1000;
}

/**
 * Makes the lines of a template. All placeholders are replaced in one pass, so an entry that holds
 * the text `{time}` stays as it is. Other braces belong to the template's own JSON.
 * @param template May span lines. Newlines at its end are dropped: each line gets one of its own.
 * @throws UserError for a template that is empty, says nothing of the entry, has an expression or a name in
 * braces that is no placeholder, or would be JSON but for a mistake.
 */
export function lineTemplate(template: unknown): Line {
	const text = String(template ?? '')
		.replaceAll('\r\n', '\n')
		.replace(/\n\s*$/, '');
	const parts = text.split(PLACEHOLDER);
	const own = parts.filter((part) => !PLACEHOLDERS.has(part));
	const named = own.map((part) => LOOKS_LIKE_ONE.exec(part)?.[0]).find(Boolean);
	const unknown = EXPRESSION.exec(text)?.[0] ?? named;
	if (unknown !== undefined) {
		throw new UserError(`In 'Line Template', ${shown(unknown)} is not a placeholder`, {
			description: `Use ${[...PLACEHOLDERS.keys()].join(', ')}. For single fields, set 'Output' to Items and build the lines with Edit Fields.`,
		});
	}
	if (parts.length === 1) {
		throw new UserError("'Line Template' has no placeholder", {
			description: 'Every line would be the same. Use {entry} for the whole entry.',
		});
	}
	const lines = parts.map((part): Line => PLACEHOLDERS.get(part) ?? (() => part));
	if (text === '{entry}') return wholeEntry;
	const whole: Line = (values) => lines.map((line) => line(values)).join('');
	const broken = brokenJson(text, whole);
	if (broken === undefined) return whole;
	throw new UserError(`'Line Template' makes no valid JSON: ${shortened(broken)}`, {
		description:
			'Check its braces, quotes and commas. {entry} and {epoch} stand without quotes, {time} and {eventKey} within: {"event":{entry},"key":"{eventKey}"}.',
	});
}
