import {
	EntryIdentities,
	identityText,
} from '../../../../nodes/ConsoleAuditLog/reading/entryIdentity';
import { LogReading } from '../../../../nodes/ConsoleAuditLog/reading/logReading';
import { freshState } from '../../../../nodes/ConsoleAuditLog/reading/pollState';
import type { PollState } from '../../../../nodes/ConsoleAuditLog/reading/pollState';
import type { ToldNotices } from '../../../../nodes/ConsoleAuditLog/trigger/logNotices';
import { logNotices } from '../../../../nodes/ConsoleAuditLog/trigger/logNotices';
import { digestOf } from '../../../../services/digestOf';
import { BEGIN, MINUTE } from '../support/handPolledTrigger';
import type { ModelEntry } from '../support/modelLog';
import { ModelLog } from '../support/modelLog';
import { pollModel, SCOPE, SETTINGS, stored } from '../support/modelPoll';

describe('entries without the expected fields', () => {
	const unnamed = (content: object, time: number): ModelEntry => ({
		time,
		appearsAt: time,
		entry: { ...content, createdAt: new Date(time).toISOString() },
	});

	test('without ids, equal entries of one moment all come, and none twice', () => {
		const log = new ModelLog(Array.from({ length: 7 }, () => unnamed({ x: 1 }, BEGIN)));
		let state = freshState(SCOPE);
		let count = 0;
		for (let poll = 0; poll < 5; poll++) {
			const settings = { ...SETTINGS, pageSize: 3, maxEntries: 2 };
			const outcome = pollModel(state, settings, log, BEGIN + poll * MINUTE);
			count += outcome.delivered.length;
			({ state } = outcome);
		}
		expect(count).toBe(7);
	});

	test.each([
		[
			'a time',
			{ auditlogId: 1, createdAt: 'yesterday' },
			'no entry has a time in the timestamp field',
		],
		[
			'an ID',
			{ createdAt: new Date(BEGIN).toISOString() },
			"no entry has the ID field 'auditlogId'",
		],
	])('without %s, n8n’s log says so once', (_, entry, words) => {
		const noticesOf = (read: object, told: ToldNotices) => {
			const reading = new LogReading(freshState(SCOPE), SETTINGS, { now: BEGIN });
			reading.take({ items: [{ ...read }] }, BEGIN);
			return logNotices(reading, { told, fields: SETTINGS, isLost: false });
		};
		const { notices, told } = noticesOf(entry, {});
		expect(notices).toEqual([expect.stringContaining(words)]);
		expect(noticesOf(entry, told).notices).toEqual([]);
		const whole = { auditlogId: 1, createdAt: new Date(BEGIN).toISOString() };
		expect(noticesOf(whole, {}).notices).toEqual([]);
	});

	test('without ids, a last page that is shown again with ever new tokens comes no third time', () => {
		const reading = new LogReading(freshState(SCOPE), SETTINGS, { now: BEGIN });
		const entries = [1, 2, 3].map((x) => ({ x, createdAt: new Date(BEGIN + x).toISOString() }));
		let calls = 0;
		for (; reading.nextCall && calls < 50; calls++) {
			const items = reading.nextCall.pageToken ? entries.slice(-1) : entries;
			reading.take({ items, nextPageToken: `token ${calls}` }, BEGIN + MINUTE);
		}
		expect(reading.wentInCircles).toBe(true);
		expect(reading.newEntries.map(({ entry }) => entry.x)).toEqual([1, 2, 3, 3]);
	});

	describe('without ids, a page that begins earlier than the one before ended', () => {
		const entries = Array.from({ length: 103 }, (_, x) => ({
			x,
			createdAt: new Date(BEGIN + (x === 100 ? 98 : x)).toISOString(),
		}));
		const afterFirstPage = () => {
			const settings = { ...SETTINGS, pageSize: 100 };
			const reading = new LogReading(freshState(SCOPE), settings, { now: BEGIN });
			reading.take({ items: entries.slice(0, 100), nextPageToken: 'token' }, BEGIN + MINUTE);
			return reading;
		};

		test('is read, since what it holds is new', () => {
			const reading = afterFirstPage();
			reading.take({ items: entries.slice(100) }, BEGIN + MINUTE);
			expect(reading.newEntries).toHaveLength(103);
			expect(reading.reachedEnd).toBe(true);
		});

		test('is no end of the log where it was read already', () => {
			const reading = afterFirstPage();
			reading.take({ items: entries.slice(90, 95) }, BEGIN + MINUTE);
			expect(reading.newEntries).toHaveLength(100);
			expect(reading.reachedEnd).toBe(false);
			expect(reading.nextCall?.pageToken).toBeUndefined();
		});
	});

	test('an ID that reads like what stands for an entry without one takes nothing from that', () => {
		const nameless = { x: 1 };
		const identity = new EntryIdentities(SETTINGS).next(nameless);
		const items = [nameless, { auditlogId: digestOf(identityText(identity)) }];
		const reading = new LogReading(freshState(SCOPE), SETTINGS, { now: BEGIN });
		reading.take({ items }, BEGIN + MINUTE);
		expect(reading.newEntries).toHaveLength(2);
	});

	test('other field names work, nested ones too', () => {
		const settings = { ...SETTINGS, idField: 'meta.uuid', timestampField: 'meta.at' };
		const log = new ModelLog(
			Array.from({ length: 12 }, (_, number) => ({
				time: BEGIN + number,
				appearsAt: BEGIN,
				entry: { meta: { uuid: number, at: BEGIN + number } },
			})),
		);
		const first = pollModel(freshState(SCOPE), settings, log, BEGIN + MINUTE);
		expect(first.delivered).toHaveLength(12);
		expect(first.state.since).toBe(String(BEGIN + 11));
		expect(first.state.from).toBe(new Date(BEGIN + 11 - SETTINGS.lookbackMs).toISOString());
		expect(pollModel(first.state, settings, log, BEGIN + MINUTE).delivered).toEqual([]);
	});

	test('digits finer than a millisecond, offsets and zero dates do no harm', () => {
		const items = [
			{ auditlogId: 'a', createdAt: '2026-03-01T00:00:00.1234567Z' },
			{ auditlogId: 'b', createdAt: '2026-03-01T00:00:00.1239Z' },
			{ auditlogId: 'c', createdAt: '0001-01-01T00:00:00Z' },
			{ auditlogId: 'd', createdAt: '2026-03-01T02:00:00.124+02:00' },
		];
		const reading = new LogReading(
			freshState(SCOPE),
			{ ...SETTINGS, lookbackMs: 0 },
			{ now: BEGIN },
		);
		reading.take({ items }, BEGIN + MINUTE);
		expect(reading.newEntries).toHaveLength(4);
		expect(reading.state.since).toBe('2026-03-01T02:00:00.124+02:00');
		expect(reading.state.from).toBe('2026-03-01T00:00:00.124Z');
		const again = new LogReading(reading.state, { ...SETTINGS, lookbackMs: 0 }, { now: BEGIN });
		again.take({ items: items.slice(2) }, BEGIN + MINUTE);
		expect(again.newEntries).toHaveLength(0);
	});
});

test.each([1763800000.123, 1763800000123.5, 20251122, 7])(
	'an entry of the time %p leaves a position that can be read again',
	(createdAt) => {
		const reading = new LogReading(freshState(SCOPE), SETTINGS, { now: BEGIN });
		reading.take({ items: [{ auditlogId: 'a', createdAt }] }, BEGIN);
		const again = new LogReading(stored(reading.state), SETTINGS, { now: BEGIN });
		again.take({ items: [{ auditlogId: 'a', createdAt }] }, BEGIN);
		expect(again.newEntries).toHaveLength(0);
	},
);

describe('an entry whose time changes', () => {
	const reading = (state: PollState, time: number) => {
		const one = new LogReading(state, SETTINGS, { now: BEGIN });
		one.take({ items: [{ auditlogId: 'a', createdAt: new Date(time).toISOString() }] }, BEGIN);
		return one;
	};

	test('is known by its id, as long as it moves by no more than the lookback', () => {
		const { state } = reading(freshState(SCOPE), BEGIN);
		for (const moved of [-1000, 300, SETTINGS.lookbackMs]) {
			expect(reading(state, BEGIN + moved).newEntries).toHaveLength(0);
		}
		expect(reading(state, BEGIN + SETTINGS.lookbackMs + 1).newEntries).toHaveLength(1);
	});
});

test('an entry whose time is written in whole seconds does not come again from within its second', () => {
	const at = BEGIN + 958;
	const log = new ModelLog([
		{ time: at, appearsAt: at, entry: { auditlogId: 'a', createdAt: Math.floor(at / 1000) } },
		{ time: at + 400, appearsAt: at + 400, entry: { auditlogId: 'b', createdAt: BEGIN + 1358 } },
	]);
	const settings = { ...SETTINGS, lookbackMs: 1000 };
	const first = pollModel(freshState(SCOPE), settings, log, BEGIN + MINUTE);
	expect(first.delivered).toHaveLength(2);
	expect(pollModel(first.state, settings, log, BEGIN + MINUTE).delivered).toEqual([]);
});
