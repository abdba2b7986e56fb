import { LogReading } from '../../../../nodes/ConsoleAuditLog/reading/logReading';
import type { ReadingMemory } from '../../../../nodes/ConsoleAuditLog/reading/logReading';
import { freshState } from '../../../../nodes/ConsoleAuditLog/reading/pollState';
import type { PollState } from '../../../../nodes/ConsoleAuditLog/reading/pollState';
import { BEGIN, entries, inOrder, MINUTE } from '../support/handPolledTrigger';
import { SCOPE, SETTINGS } from '../support/modelPoll';

test('a console whose clock was ahead for a poll loses nothing', () => {
	const HOUR = 60 * MINUTE;
	const log = entries(180, MINUTE);
	let state: PollState = freshState(SCOPE, BEGIN);
	const came = new Set<unknown>();
	let wentBack = 0;
	for (let poll = 1; poll < 180; poll++) {
		const now = BEGIN + poll * MINUTE;
		const ahead = poll === 60 ? HOUR : 0;
		const reading = new LogReading(state, SETTINGS, { now });
		const since = Date.parse(reading.nextCall?.since ?? '');
		const items = log
			.filter(({ time }) => time >= since && time <= now)
			.map(({ entry, time }) =>
				time === now ? { ...entry, createdAt: new Date(time + ahead).toISOString() } : entry,
			);
		reading.take({ items }, now + ahead, { isTold: true });
		if (reading.clockWentBack) wentBack++;
		for (const { entry } of reading.newEntries) came.add(entry.auditlogId);
		({ state } = reading);
	}
	expect(came.size).toBe(180);
	expect(wentBack).toBe(1);
});

test.each([
	{ every: 15 },
	{ every: 60 },
	{ every: 15, refuses: true },
	{ every: 15, isDropped: true },
])(
	'a console whose clock was ahead loses nothing between polls further apart than the lookback: %j',
	({ every, refuses, isDropped }) => {
		const ahead = (now: number) => (now < BEGIN + 120 * MINUTE ? 180 * MINUTE : 0);
		const log = Array.from({ length: 600 }, (_, id) => {
			const at = BEGIN + id * MINUTE;
			return { at, time: at + ahead(at), id };
		});
		const came = new Set<number>();
		let state: PollState = freshState(SCOPE, BEGIN);
		let memory: ReadingMemory | undefined;
		for (let minute = every - 1; minute < 600; minute += every) {
			const now = BEGIN + minute * MINUTE;
			const told = now + ahead(now);
			const reading = new LogReading(state, SETTINGS, { now, memory });
			if (refuses && Date.parse(reading.nextCall?.since ?? '') > told) {
				while (reading.failed('refused')) expect(reading.nextCall).toBeDefined();
				expect(reading.leaveFuture(told)).toBe(true);
			}
			const since = Date.parse(reading.nextCall?.since ?? '');
			const items = log
				.filter(({ at, time }) => at <= now && time >= since)
				.sort((one, other) => one.time - other.time)
				.map(({ time, id }) => ({ auditlogId: id, createdAt: new Date(time).toISOString() }));
			reading.take({ items }, told, { isTold: true, digest: JSON.stringify(items) });
			for (const { entry } of reading.newEntries) came.add(Number(entry.auditlogId));
			({ memory } = reading);
			// What n8n does not store, the next poll reads again.
			if (isDropped && reading.clockWentBack) isDropped = false;
			else ({ state } = reading);
		}
		expect(log.filter(({ id }) => !came.has(id))).toEqual([]);
	},
);

test('one server of a console whose clock is behind does not lead back', () => {
	const log = entries(60, MINUTE);
	let state: PollState = freshState(SCOPE, BEGIN);
	const came: unknown[] = [];
	for (let poll = 1; poll < 60; poll++) {
		const now = BEGIN + poll * MINUTE;
		const reading = new LogReading(state, SETTINGS, { now });
		const since = Date.parse(reading.nextCall?.since ?? '');
		const items = log.filter(({ time }) => time >= since && time <= now).map(({ entry }) => entry);
		reading.take({ items }, poll % 2 ? now : now - 20 * MINUTE, { isTold: true });
		expect(reading.clockWentBack).toBe(false);
		came.push(...reading.newEntries.map(({ entry }) => entry.auditlogId));
		({ state } = reading);
	}
	expect(came).toEqual(inOrder(60));
});
