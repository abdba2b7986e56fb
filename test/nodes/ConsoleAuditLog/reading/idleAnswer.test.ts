import { RETENTION_MS } from '../../../../services/console/auditLogEntry';
import { LogReading } from '../../../../nodes/ConsoleAuditLog/reading/logReading';
import type { ReadingMemory } from '../../../../nodes/ConsoleAuditLog/reading/logReading';
import { freshState } from '../../../../nodes/ConsoleAuditLog/reading/pollState';
import type { PollState } from '../../../../nodes/ConsoleAuditLog/reading/pollState';
import { BEGIN, entries, MINUTE } from '../support/handPolledTrigger';
import { SCOPE, SETTINGS } from '../support/modelPoll';

describe('an answer that holds nothing new once more', () => {
	const log = entries(3, MINUTE).map(({ entry }) => entry);
	/** A poll that opens a page only where the reading does not know it; `opened` counts these. */
	const polled = (
		before: PollState,
		memory: ReadingMemory | undefined,
		{ items = log, asOf = BEGIN + 10 * MINUTE, digest = 'of these entries' } = {},
		settings = SETTINGS,
	) => {
		const reading = new LogReading(before, settings, { now: asOf, memory });
		opened = 0;
		if (reading.knownDigest === digest) reading.takeKnown(asOf, true);
		if (reading.nextCall === undefined) return reading;
		opened = 1;
		reading.take({ items }, asOf, { digest, isTold: true });
		return reading;
	};
	let opened = 0;
	const idle = () => {
		const first = polled(freshState(SCOPE, BEGIN - MINUTE), undefined);
		const second = polled(first.state, first.memory);
		expect(second.state).toEqual(first.state);
		expect(opened).toBe(1);
		return second;
	};

	test('leaves the position as it is, and is not opened', () => {
		const { state, memory } = idle();
		const third = polled(state, memory);
		expect(opened).toBe(0);
		expect(third.state).toBe(state);
		expect(third).toMatchObject({ reachedEnd: true, newEntries: [], hasRead: true });
		expect(polled(state, third.memory).state).toBe(state);
		expect(opened).toBe(0);
	});

	test('is idle again in the same second, when the time it took makes it seem earlier', () => {
		const { state, memory } = idle();
		const asOf = BEGIN + 10 * MINUTE;
		const sooner = polled(state, memory, { asOf: asOf - 999 });
		expect(sooner.state).toBe(state);
		// Step by step it does not go further back.
		expect(polled(state, sooner.memory, { asOf: asOf - 1998 }).state).not.toBe(state);
	});

	test.each([
		['another answer', { digest: 'another' }],
		['an earlier time of the console', { asOf: BEGIN + 9 * MINUTE }],
		['a position before the retention', { asOf: BEGIN + 2 * RETENTION_MS }],
	])('is opened after %s', (_, difference) => {
		const { state, memory } = idle();
		const reading = polled(state, memory, difference);
		expect(opened).toBe(1);
		expect(reading.state).not.toBe(state);
		expect(reading.newEntries).toEqual([]);
	});

	test('is opened once n8n finds the position ahead of the time, too', () => {
		const ahead = { ...freshState(SCOPE, BEGIN + 60 * MINUTE), pageSize: { size: 100 } };
		const polledAt = (now: number, memory?: ReadingMemory) => {
			const reading = new LogReading(ahead, SETTINGS, { now, memory });
			if (reading.knownDigest) reading.takeKnown(BEGIN + 10 * MINUTE, true);
			if (!reading.nextCall) return reading;
			reading.take({ items: [] }, BEGIN + 10 * MINUTE, { digest: 'of nothing', isTold: true });
			return reading;
		};
		const { memory } = polledAt(BEGIN + 61 * MINUTE);
		expect(polledAt(BEGIN + 62 * MINUTE, memory).state).toBe(ahead);
		const { clockWentBack, state } = polledAt(BEGIN + 11 * MINUTE, memory);
		expect(clockWentBack).toBe(true);
		expect(Date.parse(state.from ?? '')).toBeLessThan(BEGIN + 10 * MINUTE);
	});

	test('has not been read when it has to be asked for once more', () => {
		const { state, memory } = idle();
		const reading = new LogReading(state, SETTINGS, { now: BEGIN + 9 * MINUTE, memory });
		reading.takeKnown(BEGIN + 9 * MINUTE, true);
		expect(reading).toMatchObject({ hasRead: false, knownDigest: undefined, state });
		expect(reading.nextCall).toBeDefined();
	});

	test('is opened by other settings, or from another position', () => {
		const { state, memory } = idle();
		const settings = { ...SETTINGS, lookbackMs: SETTINGS.lookbackMs + 1 };
		expect(polled(state, memory, {}, settings).state).not.toBe(state);
		expect(opened).toBe(1);
		const earlier = { ...state, seen: [] };
		expect(polled(earlier, memory).newEntries).toHaveLength(3);
	});
});
