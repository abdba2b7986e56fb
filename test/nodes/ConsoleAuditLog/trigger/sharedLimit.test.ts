import { LogReading } from '../../../../nodes/ConsoleAuditLog/reading/logReading';
import { freshState } from '../../../../nodes/ConsoleAuditLog/reading/pollState';
import { readLog } from '../../../../nodes/ConsoleAuditLog/trigger/readLog';
import { CALL, setUp } from '../../../transport/support/fakeConnection';
import { SCOPE, SETTINGS } from '../support/modelPoll';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** A console that answers so many calls in any minute, and says with a 429 how long to wait. */
function consoleWithLimit(calls: number) {
	const answered: number[] = [];
	const connection = setUp(() => {
		const now = connection.clock.monotonic();
		while (answered[0] <= now - MINUTE) answered.shift();
		if (answered.length >= calls) {
			const seconds = Math.ceil((answered[0] + MINUTE - now) / SECOND);
			return { status: 429, headers: { 'retry-after': String(seconds) } };
		}
		answered.push(now);
		return { body: { items: [], nextPageToken: null } };
	});
	return connection;
}

it('a poll gets its turn though twenty executions use up what the console allows', async () => {
	const { service, clock } = consoleWithLimit(30);
	const begun = clock.now();
	const end = begun + 30 * MINUTE;
	const execution = async () => {
		while (clock.now() < end) {
			await service.send(CALL, { deadline: clock.now() + 60 * MINUTE });
			await clock.sleep(SECOND / 2);
		}
	};
	let polls = 0;
	let failed = 0;
	const trigger = async () => {
		for (; clock.now() < end; polls++) {
			await clock.sleep(MINUTE - ((clock.now() - begun) % MINUTE));
			const reading = new LogReading(freshState(SCOPE), SETTINGS, { now: clock.now() });
			if (await readLog(service, reading, { deadline: clock.now() + 28 * SECOND, clock })) failed++;
		}
	};
	const all = Promise.all([trigger(), ...Array.from({ length: 20 }, execution)]);
	await clock.run();
	await all;
	expect(polls).toBe(30);
	expect(failed).toBeLessThanOrEqual(2);
});
