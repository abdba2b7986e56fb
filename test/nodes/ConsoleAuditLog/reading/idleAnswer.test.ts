import { RETENTION_MS } from '../../../../services/console/auditLogEntry';
import { LogReading } from '../../../../nodes/ConsoleAuditLog/reading/logReading';
import type { ReadingMemory } from '../../../../nodes/ConsoleAuditLog/reading/logReading';
import { freshState } from '../../../../nodes/ConsoleAuditLog/reading/pollState';
import type { PollState } from '../../../../nodes/ConsoleAuditLog/reading/pollState';
import { BEGIN, entries, MINUTE } from '../support/handPolledTrigger';
import { SCOPE, SETTINGS } from '../support/modelPoll';

describe('an answer that holds nothing new once more', () => {
	const log = entries(3, MINUTE).map(({ entry }) => entry);
	const polled = (
		before: PollState,
		memory: ReadingMemory | undefined,
		{ items = log, asOf = BEGIN + 10 * MINUTE, digest = 'of these entries' } = {},
	) => {
		const reading = new LogReading(before, SETTINGS, { now: asOf, memory });
		reading.take({ items }, asOf, { digest, isTold: true });
		return reading;
	};
	const idle = () => {
		const first = polled(freshState(SCOPE, BEGIN - MINUTE), undefined);
		const second = polled(first.state, first.memory);
		expect(second.state).toEqual(first.state);
		return second;
	};

	test('leaves the position as it is, without a look at its entries', () => {
		const { state, memory } = idle();
		const unread = new Proxy(log, {
			get: (items, key) => {
				if (key !== 'length') throw new Error('it looks at the entries');
				return items.length;
			},
		});
		const third = polled(state, memory, { items: unread });
		expect(third.state).toBe(state);
		expect(third).toMatchObject({ reachedEnd: true, newEntries: [] });
		expect(polled(state, third.memory, { items: unread }).state).toBe(state);
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
	])('is read after %s', (_, difference) => {
		const { state, memory } = idle();
		const reading = polled(state, memory, difference);
		expect(reading.state).not.toBe(state);
		expect(reading.newEntries).toEqual([]);
	});

	test('is read once n8n finds the position ahead of the time, too', () => {
		const ahead = { ...freshState(SCOPE, BEGIN + 60 * MINUTE), pageSize: { size: 100 } };
		const polledAt = (now: number, memory?: ReadingMemory) => {
			const reading = new LogReading(ahead, SETTINGS, { now, memory });
			reading.take({ items: [] }, BEGIN + 10 * MINUTE, { digest: 'of nothing', isTold: true });
			return reading;
		};
		const { memory } = polledAt(BEGIN + 61 * MINUTE);
		expect(polledAt(BEGIN + 62 * MINUTE, memory).state).toBe(ahead);
		const { clockWentBack, state } = polledAt(BEGIN + 11 * MINUTE, memory);
		expect(clockWentBack).toBe(true);
		expect(Date.parse(state.from ?? '')).toBeLessThan(BEGIN + 10 * MINUTE);
	});

	test('is read by other settings, or from another position', () => {
		const { state, memory } = idle();
		const settings = { ...SETTINGS, lookbackMs: SETTINGS.lookbackMs + 1 };
		const reading = new LogReading(state, settings, { now: BEGIN + 10 * MINUTE, memory });
		reading.take({ items: log }, BEGIN + 10 * MINUTE, { digest: 'of these entries' });
		expect(reading.state).not.toBe(state);
		const earlier = { ...state, seen: [] };
		expect(polled(earlier, memory).newEntries).toHaveLength(3);
	});
});
