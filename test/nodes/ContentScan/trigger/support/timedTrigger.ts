import { listBudget } from '../../../../../services/scanning/listBudget';
import { ListMemory } from '../../../../../nodes/ContentScan/trigger/listMemory';
import { readList } from '../../../../../nodes/ContentScan/trigger/readList';
import { FeedReading } from '../../../../../nodes/ContentScan/trigger/reading/feedReading';
import { PollTime } from '../../../../../nodes/ContentScan/trigger/reading/pollTime';
import { freshState } from '../../../../../nodes/ContentScan/trigger/reading/feedState';
import type { CallContext } from '../../../../../transport/call';
import { FakeClock } from '../../../../support/fakeClock.cts';
import { FakeService, scanService } from '../../support/fakeService';
import { watchedForAnHour } from './feedSettings';

export const MINUTE = 60_000;
export const PAGE = 100;

const settings = { ...watchedForAnHour, tellsUnfinished: false, maxScans: 2000 };

export interface Asked {
	start: number;
	end: number;
	limit: number;
	/** Records before the page. */
	at: number;
	of?: string;
}

/** A trigger on a list of malicious scans, one each so many seconds, and what the list answers to a window. */
export function trigger(
	{ scans: length, every }: { scans: number; every: number },
	answer: (inWindow: object[], asked: Asked, context: CallContext) => unknown,
	{ tellsTime = true, callsPerMinute = 100, pollMs = MINUTE } = {},
) {
	const clock = new FakeClock();
	const start = clock.now() / 1000;
	const all = Array.from({ length }, (_, id) => {
		const time = new Date((start + every * id) * 1000).toISOString();
		return { id, created_at: time, finished_at: time, verbose_verdict: 'MAL' };
	});
	const service = new FakeService(
		({ call, address, context }) => {
			const query = address ? Object.fromEntries(new URL(address).searchParams) : call?.query;
			const asked = query as unknown as Asked;
			const latest = Math.min(Number(asked.end), clock.now() / 1000);
			const inWindow = all.filter(({ id }) => {
				const created = start + every * id;
				return created >= Number(asked.start) && created <= latest;
			});
			return answer(inWindow, { ...asked, at: Number(asked.at ?? 0) }, context);
		},
		() => (tellsTime ? new Date(clock.now()).toUTCString() : undefined),
	);
	const scans = scanService(service, {}, callsPerMinute);
	const budget = listBudget(scans, 'trigger', clock, new Map());
	let state = freshState('here', start);
	const memory = new ListMemory();
	const found = { tookWithoutEnd: false };
	const poll = async (after = MINUTE) => {
		await clock.advance(after);
		const reading = new FeedReading(state, settings, new PollTime(Math.floor(clock.now() / 1000)));
		const deadline = clock.now() + pollMs;
		const unread = { memory, unreadOrSoughtMs: after, unreadMs: after };
		const list = { scans, budget, filters: {}, clock, deadline, ...unread };
		await readList(list, reading);
		found.tookWithoutEnd ||= reading.tookWithoutEnd;
		state = JSON.parse(JSON.stringify(reading.result().state));
		return reading.result().events.map(({ record }) => record?.id);
	};
	return { clock, poll, found, service, budget, begun: memory.begun };
}

export function pageOf(listed: object[], { start, end, at }: Asked, size = PAGE) {
	const after = at + size;
	const next = listed.length > after ? `?start=${start}&end=${end}&at=${after}` : null;
	return { results: listed.slice(at, after), next };
}
