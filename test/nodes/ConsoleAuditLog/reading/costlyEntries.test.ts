import { LogReading } from '../../../../nodes/ConsoleAuditLog/reading/logReading';
import { freshState } from '../../../../nodes/ConsoleAuditLog/reading/pollState';
import { isoTime, USUAL_FIELDS } from '../../../../services/console/auditLogEntry';
import type { AuditLogEntry } from '../../../../services/console/auditLogEntry';
import { newestEntries } from '../../../../services/console/newestEntries';
import { expectCost } from '../../../support/expectCost.cts';
import { macrotask } from '../../../support/macrotask.cts';
import { memoryHeldDuring } from '../../../support/transport/memory.cts';
import { BEGIN, MINUTE } from '../support/handPolledTrigger';
import { SCOPE, SETTINGS } from '../support/modelPoll';

const DAY = 24 * 60 * MINUTE;
const settings = { ...SETTINGS, maxEntries: 50_000 };

/** The number that V8 hashes to this: each of its steps, from the last to the first. */
function hashedTo(hash: number): number {
	let number = hash ^ (hash >>> 16);
	number = Math.imul(number, inverse(2057));
	number ^= number >>> 4;
	number ^= number >>> 8;
	number ^= number >>> 16;
	number = Math.imul(number, inverse(5));
	number ^= (number >>> 12) ^ (number >>> 24);
	return Math.imul(number + 1, inverse(2 ** 15 - 1)) >>> 0;
}

/** By what to multiply to undo a multiplication of 32-bit integers. */
function inverse(factor: number): number {
	let found = factor;
	for (let bits = 3; bits < 32; bits *= 2) found = Math.imul(found, 2 - Math.imul(found, factor));
	return found;
}

/** Numbers that all stand in one place of a table of 32,768 places. */
const collidingNumbers = (count: number) =>
	Array.from({ length: 4 * count }, (_, at) => hashedTo(at << 15))
		.filter((number) => number < 2 ** 31)
		.slice(0, count);

/** Texts that V8 hashes by their length alone. */
const longIds = (count: number) =>
	Array.from({ length: count }, (_, at) => String(at).padStart(16_400, 'i'));

const entriesOf = (ids: unknown[], timeOf: (at: number) => number): AuditLogEntry[] =>
	ids.map((auditlogId, at) => ({ auditlogId, createdAt: new Date(timeOf(at)).toISOString() }));

/** What a poll finds new in these entries, which it reads within `seconds` of processor time. */
async function newWithin(seconds: number, items: AuditLogEntry[]) {
	let found: LogReading['newEntries'] = [];
	await expectCost(seconds, () => {
		const reading = new LogReading(freshState(SCOPE), settings, { now: BEGIN + MINUTE });
		reading.take({ items }, BEGIN + MINUTE);
		found = reading.newEntries;
	});
	return found;
}

test.each([
	['long texts', () => longIds(2500)],
	['numbers', () => collidingNumbers(48_000)],
])('IDs that collide as keys cost a poll no time: %s', async (_, ids) => {
	const entries = entriesOf(ids(), (at) => BEGIN + at);
	expect(await newWithin(3, entries)).toHaveLength(entries.length);
});

test('an entry without an ID that is deep is not copied for each level', async () => {
	const createdAt = new Date(BEGIN).toISOString();
	const [open, close] = ['{"b":0,"a":', '}'].map((part) => part.repeat(95));
	const text = `{"createdAt":"${createdAt}","x":${open}"${'€'.repeat(1_500_000)}"${close}}`;
	const items = [JSON.parse(text) as AuditLogEntry];
	expect(await newWithin(0.1, items)).toHaveLength(1);
});

test.each([
	['two names', '{"1000":0,"2500":0}', 50_000],
	['one name', '{"1000":0}', 70_000],
])('an entry without an ID whose names are far apart costs no time: %s', async (_, part, count) => {
	const createdAt = new Date(BEGIN).toISOString();
	const text = `{"createdAt":"${createdAt}","parts":[${Array(count).fill(part).join()}]}`;
	const items = [JSON.parse(text) as AuditLogEntry];
	const { result, held } = await memoryHeldDuring(async () => await newWithin(1, items));
	expect(result).toHaveLength(1);
	expect(held).toBeLessThan(100 * 2 ** 20);
});

test('long IDs cost a search for the newest entries no time', async () => {
	const entries = entriesOf(longIds(3000), (at) => BEGIN + at * MINUTE);
	const timeOf = (text: unknown) => Date.parse(String(text));
	const readPage = async ({ since = '' }: { since?: string }) =>
		await Promise.resolve({
			bytes: 0,
			items: entries.filter(({ createdAt }) => timeOf(createdAt) >= timeOf(since)).slice(0, 100),
		});
	await expectCost(3, async () => {
		const { entries: found } = await newestEntries(readPage as never, {
			wanted: 2500,
			now: BEGIN + 3000 * MINUTE,
			fields: USUAL_FIELDS,
			pageSize: 100,
			mostRequests: 100,
			mostBytes: Infinity,
		});
		expect(found).toHaveLength(2500);
	});
});

test('entries that are not new by their time are not all remembered', async () => {
	const at = isoTime(BEGIN);
	const resume = { at, canRestart: true, limit: 100 };
	const before = { ...freshState(SCOPE, BEGIN), resume };
	const reading = new LogReading(before, settings, { now: BEGIN + MINUTE });
	const [ahead] = entriesOf(['ahead'], () => BEGIN + 300 * DAY);
	reading.take({ items: [ahead] }, BEGIN + MINUTE);
	expect(reading.nextCall?.since).toBe(isoTime(BEGIN - 26 * 60 * MINUTE));
	const old = isoTime(BEGIN - DAY);
	const page = (number: number) =>
		Array.from({ length: 20_000 }, (_, at) => ({
			auditlogId: `${number} ${at}`.padEnd(80, 'i'),
			createdAt: old,
		}));
	const { held } = await memoryHeldDuring(async () => {
		for (let number = 0; number < 20; number++) {
			const items = page(number);
			reading.take({ items, nextPageToken: `${number}` }, BEGIN + MINUTE);
			await macrotask();
		}
	});
	expect(reading.newEntries).toHaveLength(0);
	expect(reading.nextCall?.pageToken).toBe('19');
	expect(held).toBeLessThan(20 * 2 ** 20);
});
