import type { INodeProperties, INodePropertyOptions, INodeType } from 'n8n-workflow';
import { ConsoleAuditLog } from '../../nodes/ConsoleAuditLog/ConsoleAuditLog.node';
import { ConsoleAuditLogTrigger } from '../../nodes/ConsoleAuditLog/ConsoleAuditLogTrigger.node';
import { ContentScan } from '../../nodes/ContentScan/ContentScan.node';
import { ContentScanTrigger } from '../../nodes/ContentScan/ContentScanTrigger.node';
import { sandboxOperationPaths } from '../../sandbox/fixtures/operationPaths.cts';
import { createPollHarness } from '../support/engine/pollHarness.cts';
import type { DescribedError } from '../support/engine/describedError.cts';
import { setNodeClock } from '../support/engine/nodeClock.cts';
import { runNode } from '../support/engine/runWorkflow.cts';
import { RefusingServer } from '../support/refusingServer.cts';

/**
 * Every parameter of every operation and trigger, as their descriptions have them, with what an
 * expression may give: either the item fails, names the field and sends nothing, or the value has a
 * documented meaning, and what is sent is that.
 */

type Parameters = Record<string, unknown>;

/** What expressions give, by their text. */
const VALUES: Record<string, unknown> = {
	'""': '',
	null: null,
	undefined: undefined,
	'"true"': 'true',
	'"false"': 'false',
	'"5"': '5',
	'"abc"': 'abc',
	true: true,
	false: false,
	'5': 5,
	'["abc"]': ['abc'],
	'[]': [],
	'({ "a": "b" })': { a: 'b' },
	NaN: NaN,
	'-5': -5,
	'1e9': 1e9,
};

/** What an operation cannot do without. */
const FILLED: Parameters = {
	url: 'https://example.com/',
	downloadLink: 'https://example.com/a.pdf',
	storagePath: 'a.pdf',
	scanId: '7',
	verdict: 'clean',
	expectedVerdict: 'malicious',
	reason: 'checked',
	startDate: '2026-01-31T12:00:00.000Z',
	auditlogId: '7',
};

/** A value that stands for another, `UNSET` for the field left as it was. */
type Meaning = { as: unknown } | 'refused';

const UNSET: Meaning = { as: undefined };

interface Case {
	field: INodeProperties;
	/** The collection in which the field lies. */
	collection?: string;
	/** What shows the field. */
	shown: Parameters;
}

const isBlank = (value: unknown) => value === '' || value === null || value === undefined;

function textOf(value: unknown): string | undefined {
	if (typeof value === 'number' && !Number.isNaN(value)) return String(value);
	return typeof value === 'string' ? value : undefined;
}

function isJson(text: string): boolean {
	try {
		JSON.parse(text);
		return true;
	} catch {
		return false;
	}
}

type Rule = (value: unknown, one: Case) => Meaning;

function optionOf({ options = [] }: INodeProperties, value: unknown): boolean {
	return (options as INodePropertyOptions[]).some((option) => option.value === value);
}

const text: Rule = (value, { field }) => {
	if (isBlank(value)) return field.required ? 'refused' : UNSET;
	const meant = textOf(value);
	return meant === undefined ? 'refused' : { as: meant };
};

const filledText: Rule = (value, one) => (isBlank(value) ? 'refused' : text(value, one));

const webAddress: Rule = () => 'refused';

const filledTime: Rule = (value, one) =>
	isBlank(value) ? 'refused' : RULES_BY_TYPE.dateTime(value, one);

const RULES_BY_TYPE: Record<string, Rule> = {
	string: text,
	boolean: (value) => {
		const meant = [true, false].find((one) => value === one || value === String(one));
		return meant === undefined ? 'refused' : { as: meant };
	},
	number: (value, { field }) => {
		const { minValue = -Infinity, maxValue = Infinity } = field.typeOptions ?? {};
		const number = Number(textOf(value) || NaN);
		return number >= minValue && number <= maxValue ? { as: number } : 'refused';
	},
	options: (value, { field }) => (optionOf(field, value) ? { as: value } : 'refused'),
	dateTime: (value, one) => {
		if (isBlank(value)) return text(value, one);
		return value === 1e9 ? { as: new Date(1e12).toISOString() } : 'refused';
	},
	resourceLocator: text,
};

const RULES_BY_NAME: Record<string, Rule> = {
	downloadLink: webAddress,
	callbackUrl: webAddress,
	idField: filledText,
	timestampField: filledText,
	// The item has no file of another name.
	inputDataFieldName: () => 'refused',
	since: filledTime,
	until: filledTime,
	callbackHeaders: (value) => {
		const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
		return isObject ? { as: JSON.stringify(value) } : 'refused';
	},
	callbackParams: (value, one) => {
		if (typeof value === 'object' && value !== null) return { as: JSON.stringify(value) };
		const meaning = text(value, one);
		return meaning === 'refused' || meaning === UNSET || isJson(String(meaning.as))
			? meaning
			: 'refused';
	},
	verdicts: (value) => (Array.isArray(value) && value.length === 0 ? { as: [] } : 'refused'),
};

/** Without them the node would do something else than the user wanted. */
const MISSED_OPTIONS = [
	'callbackUrl',
	'callbackHeaders',
	'callbackParams',
	'storage',
	'until',
	'origin',
	'organizationId',
];

function meaningOf(value: unknown, one: Case): Meaning {
	const { field, collection } = one;
	const isMissed = collection === 'filters' || MISSED_OPTIONS.includes(field.name);
	if (isMissed && isBlank(value)) return 'refused';
	return (RULES_BY_NAME[field.name] ?? RULES_BY_TYPE[field.type])(value, one);
}

/** The fields that take expressions, each with what shows it. */
function casesOf(fields: INodeProperties[], within: Partial<Case> = {}): Case[] {
	return fields.flatMap((field): Case[] => {
		const shows = Object.entries(field.displayOptions?.show ?? {});
		const own = shows.map(([name, values]) => [name.replace('/', ''), values?.[0]]);
		const shown = { ...within.shown, ...(Object.fromEntries(own) as Parameters) };
		if (field.type === 'collection') {
			return casesOf(field.options as INodeProperties[], { shown, collection: field.name });
		}
		if (field.type === 'notice' || field.noDataExpression) return [];
		return [{ ...within, field, shown }];
	});
}

/** The parameters with one value put into a field; `undefined` leaves the field out. */
function withValue({ field, collection, shown }: Case, value: unknown): Parameters {
	const set = field.type === 'resourceLocator' ? { __rl: true, mode: 'id', value } : value;
	const own = value === undefined ? {} : { [field.name]: set };
	const base = { ...FILLED, ...shown };
	return collection === undefined ? { ...base, ...own } : { ...base, [collection]: own };
}

interface Outcome {
	error?: DescribedError;
	sent: string[];
}

let server: RefusingServer;
let resetClock: () => void;

const NOW = Date.UTC(2026, 10, 1);

const clock = { now: () => NOW };

const credentials = () => ({
	contentScanApi: {
		environment: 'custom',
		baseUrl: server.address,
		apiToken: 'x',
		callsPerMinute: 100_000,
		operationPaths: { values: { ...sandboxOperationPaths } },
	},
	browserConsoleHeadersApi: {
		consoleUrl: server.address,
		headers: { values: [{ name: 'a', value: 'b' }] },
	},
});

async function run(type: string, parameters: Parameters): Promise<Outcome> {
	const items = [{ json: {}, binary: { data: { content: 'x', fileName: 'a.txt' } } }];
	const { error } = await runNode({
		node: { type, parameters },
		credentials: credentials(),
		items,
	});
	return { error, sent: server.take() };
}

async function poll(type: string, parameters: Parameters): Promise<Outcome> {
	const node = { type, parameters };
	const harness = await createPollHarness({
		node,
		credentials: credentials(),
		mode: 'default',
		clock,
	});
	const { error } = await harness.manual();
	await harness.close();
	return { error, sent: server.take() };
}

beforeAll(async () => {
	server = await RefusingServer.open();
	resetClock = setNodeClock(clock);
});

afterAll(async () => {
	resetClock();
	await server.close();
});

const NODES: INodeType[] = [
	new ContentScan(),
	new ContentScanTrigger(),
	new ConsoleAuditLog(),
	new ConsoleAuditLogTrigger(),
];

describe.each(NODES.map(({ description }) => description))('$name', (description) => {
	const { name, properties, polling = false } = description;
	const outcomeOf = polling ? poll : run;
	const cases = casesOf(properties).map((one) => ({ one, what: whatOf(one) }));

	it.each(cases)('takes or refuses what an expression gives for $what', async ({ one }) => {
		for (const [source, value] of Object.entries(VALUES)) {
			const { error, sent } = await outcomeOf(name, withValue(one, `={{ ${source} }}`));
			const meaning = meaningOf(value, one);
			const seen = { source, message: error?.message, sent };
			if (meaning === 'refused') {
				expect(seen).toStrictEqual({ ...seen, message: expect.any(String), sent: [] });
				const words = `${error?.message} ${error?.description}`;
				expect({ source, words }).toStrictEqual({
					source,
					words: expect.stringContaining(`'${one.field.displayName}'`),
				});
				if (!polling) expect(error?.itemIndex).toBe(0);
			} else {
				const meant = await outcomeOf(name, withValue(one, meaning.as));
				expect(seen).toStrictEqual({ ...seen, sent: meant.sent });
				expect(seen.sent.length).toBeGreaterThan(0);
			}
		}
	});
});

function whatOf({ field, collection, shown }: Case): string {
	return [...Object.values(shown), collection, field.name]
		.filter((part) => part !== undefined)
		.join(' ');
}
