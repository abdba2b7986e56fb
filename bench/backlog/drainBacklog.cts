import { setTimeout as sleep } from 'node:timers/promises';
import { defaultConsoleHeaders } from '../../sandbox/fixtures/accounts.cts';
import { fraction } from '../../sandbox/deterministic.cts';
import type { JournalEntry } from '../../sandbox/wire/journal.cts';
import { createPollHarness, type PollHarness } from '../../test/support/engine/pollHarness.cts';
import { startSandboxProcess, type SandboxProcess } from '../sandboxProcess.cts';
import { EntryCheck } from './entryCheck.cts';
import { MemoryWatch, type MemoryAdded } from './memoryWatch.cts';

const SEED = 1;
/** Of the 365 days that the console keeps, so that nothing expires during the run. */
const HISTORY_DAYS = 364;
/** Polls after the end of the backlog, which must bring nothing. */
const POLLS_AFTER = 3;
const NOTE_KEPT_EVERY = 10;
const MOST_POLLS = 5_000;
const LONGEST_BETWEEN_VOIDS_MS = 150;

/** A backlog to be drained by the trigger with its default settings. */
export interface DrainScenario {
	title: string;
	entries: number;
	/** Whether the console makes all page tokens void at random moments. */
	voidsTokens?: boolean;
}

/** What draining a backlog took. */
export interface DrainFigures {
	entries: number;
	polls: number;
	wallMs: number;
	/** Requests by their `limit`. */
	requests: Record<string, number>;
	/** Requests that the console refused. */
	refused: number;
	memory: MemoryAdded;
	largestStateBytes: number;
	missing: number;
	twice: number;
	outOfOrder: number;
	/** Polls that ended with an error. */
	errors: number;
}

/** Drains a year's backlog through n8n-core's poll executor, poll after poll, without a clock. */
export async function drainBacklog(scenario: DrainScenario): Promise<DrainFigures> {
	const { entries } = scenario;
	const history = { historyEntries: entries, historyDays: HISTORY_DAYS };
	const sandbox = await startSandboxProcess({ console: history }, SEED);
	try {
		const check = new EntryCheck(entries, SEED);
		const harness = await createPollHarness({
			node: {
				type: 'consoleAuditLogTrigger',
				parameters: { authentication: 'headers', startFrom: 'oldest', output: 'text' },
			},
			credentials: { browserConsoleHeadersApi: consoleCredential(sandbox.addresses.console) },
			mode: 'default',
			onExecution: ({ items }) => {
				for (const { text } of items) check.takeLines(String(text));
			},
		});
		const voiding = scenario.voidsTokens ? voidTokensAtRandom(sandbox) : undefined;
		const memory = new MemoryWatch();
		const begun = performance.now();
		const polls = await pollToTheEnd(harness, check, memory);
		const wallMs = performance.now() - begun;
		await voiding?.stop();
		const calls = await sandbox.calls();
		for (let poll = 0; poll < POLLS_AFTER; poll += 1) await harness.tick();
		const figures = {
			entries,
			polls,
			wallMs: Math.round(wallMs),
			requests: countBy(calls, limitOf),
			refused: calls.filter(({ status }) => status === 400).length,
			memory: memory.stop(),
			largestStateBytes: harness.largestStateBytes,
			missing: check.missing,
			twice: check.twice,
			outOfOrder: check.outOfOrder,
			errors: harness.errors.length,
		};
		await harness.close();
		return figures;
	} finally {
		await sandbox.end();
	}
}

/** @returns how many polls it took, the one at activation included. */
async function pollToTheEnd(
	harness: PollHarness,
	check: EntryCheck,
	memory: MemoryWatch,
): Promise<number> {
	await harness.activate();
	let polls = 1;
	for (; check.missing > 0 && polls < MOST_POLLS; polls += 1) {
		await harness.tick();
		if (polls % NOTE_KEPT_EVERY === 0) memory.noteKept();
	}
	memory.noteKept();
	return polls;
}

function voidTokensAtRandom(sandbox: SandboxProcess): { stop(): Promise<void> } {
	let goesOn = true;
	const run = async (): Promise<void> => {
		for (let turn = 0; goesOn; turn += 1) {
			await sleep(fraction(SEED, turn) * LONGEST_BETWEEN_VOIDS_MS);
			await sandbox.control.post('/audit-log/refuse-page-tokens');
		}
	};
	const running = run();
	return {
		stop: async () => {
			goesOn = false;
			await running;
		},
	};
}

function consoleCredential(consoleUrl: string) {
	const values = Object.entries(defaultConsoleHeaders).map(([name, value]) => ({ name, value }));
	return { consoleUrl, headers: { values } };
}

function limitOf({ query }: JournalEntry): string {
	return new URLSearchParams(query).get('limit') ?? 'none';
}

function countBy<T>(all: readonly T[], keyOf: (one: T) => string): Record<string, number> {
	const counts: Record<string, number> = {};
	for (const one of all) counts[keyOf(one)] = (counts[keyOf(one)] ?? 0) + 1;
	return counts;
}
