import { LogReading } from '../../../../nodes/ConsoleAuditLog/reading/logReading';
import { freshState } from '../../../../nodes/ConsoleAuditLog/reading/pollState';
import { readLog } from '../../../../nodes/ConsoleAuditLog/trigger/readLog';
import { testEventEntries } from '../../../../nodes/ConsoleAuditLog/trigger/testEventEntries';
import { serverNow } from '../../../../services/console/auditLog';
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

type Connection = ReturnType<typeof consoleWithLimit>;

/** What a trigger asks the console for, with the time that n8n gives it: least with durable cursors. */
const tasks: Record<string, (connection: Connection) => Promise<unknown>> = {
	'a poll': async ({ service, clock }) => {
		const reading = new LogReading(freshState(SCOPE), SETTINGS, { now: clock.now() });
		const failure = await readLog(service, reading, { deadline: clock.now() + 28 * SECOND, clock });
		if (failure) throw failure;
	},
	'Fetch Test Event': async ({ service, clock }) =>
		await testEventEntries(service, SETTINGS, { deadline: clock.now() + MINUTE, clock }),
	"the console's time, where a trigger starts now": async ({ service, clock }) =>
		await serverNow(service, { deadline: clock.now() + 28 * SECOND, clock }),
};

test.each([
	['a poll', 2],
	// It takes several calls, so that a few times its minute ends before.
	['Fetch Test Event', 10],
	["the console's time, where a trigger starts now", 2],
])(
	'%s gets its turn though twenty executions use up what the console allows',
	async (task, mostFailed) => {
		const connection = consoleWithLimit(30);
		const { service, clock } = connection;
		const begun = clock.now();
		const end = begun + 30 * MINUTE;
		const execution = async () => {
			while (clock.now() < end) {
				await service.send(CALL, { deadline: clock.now() + 60 * MINUTE });
				await clock.sleep(SECOND / 2);
			}
		};
		let times = 0;
		let failed = 0;
		const eachMinute = async () => {
			for (; clock.now() < end; times++) {
				await clock.sleep(MINUTE - ((clock.now() - begun) % MINUTE));
				await tasks[task](connection).catch(() => failed++);
			}
		};
		const all = Promise.all([eachMinute(), ...Array.from({ length: 20 }, execution)]);
		await clock.run();
		await all;
		expect(times).toBe(30);
		expect(failed).toBeLessThanOrEqual(mostFailed);
	},
);
