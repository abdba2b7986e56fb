import { LogReading } from '../../../../nodes/ConsoleAuditLog/reading/logReading';
import { freshState } from '../../../../nodes/ConsoleAuditLog/reading/pollState';
import { BEGIN, MINUTE } from '../support/handPolledTrigger';
import { SCOPE, SETTINGS } from '../support/modelPoll';

const HOUR = 60 * MINUTE;

it.each([
	['n8n', HOUR, 0],
	['the console', 0, HOUR],
])(
	'entries without times: where the clock of %s is ahead, the position is not',
	(_, n8nAhead, consoleAhead) => {
		const reading = new LogReading(freshState(SCOPE, BEGIN - MINUTE), SETTINGS, {
			now: BEGIN + n8nAhead,
		});
		reading.take({ items: [{ auditlogId: 'undated' }] }, BEGIN + consoleAhead, { isTold: true });
		expect(reading.reachedEnd).toBe(true);
		expect(reading.state.since).toBe(new Date(BEGIN).toISOString());
	},
);
