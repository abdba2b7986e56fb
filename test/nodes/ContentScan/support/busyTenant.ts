import type { IHttpRequestOptions } from 'n8n-workflow';
import { VerdictLookups } from '../../../../nodes/ContentScan/verdict/verdictLookups';
import { scanServices } from '../../../../services/scanning/scanService';
import { FakeClock } from '../../../support/fakeClock.cts';
import { seededRandom } from '../../../support/seededRandom.cts';
import { streamOf } from '../../../support/streamOf.cts';
import { executionTo, transportOn } from './realTransport';

/**
 * Hours of a tenant that submits all the time and waits for every verdict, in fake time: the package's own
 * lookups, transport and call queue, and a list of scans whose answers the test chooses.
 */

/** What the list is asked for. Times are in seconds after the start. */
export interface Asked {
	now: number;
	from: number;
	/** Infinity for a window without an end. */
	to: number;
	/** How many scans there are in it. */
	scans: number;
}

/** After how many seconds the list answers (Infinity: never), and with what, where not with its scans. */
export interface Answering {
	after: number;
	status?: number;
}

export interface Tenant {
	callsPerMinute: number;
	scansPerMinute: number;
	/** Shortest and longest time until a scan has its verdict, in seconds. */
	takes: [number, number];
	/** How long each is waited for, in seconds. */
	waits: number;
	hours: number;
}

export const BUSY: Tenant = {
	...{ callsPerMinute: 60, scansPerMinute: 6 },
	...{ takes: [30, 600], waits: 1800, hours: 1 },
};

interface Scan {
	id: number;
	created: number;
	finished: number;
}

export interface Lived {
	waits: number;
	/** Waits that ended without the verdict that the scan had by then, or with an error. */
	withoutVerdict: number;
	/** How many seconds after the scan's end a verdict came: one of the middle, and one that 95 % were not later than. */
	median: number;
	p95: number;
	/** Most calls that began within one minute, and how many did on average. */
	callsInAMinute: number;
	callsOnAverage: number;
}

const SECOND = 1000;
const PAGE = 100;

let tenants = 0;

/** Pages of the list of scans, as they are now, and what was asked for. */
function pagesOf(scans: Scan[], clock: FakeClock) {
	const start = clock.now();
	const now = () => clock.monotonic() / SECOND;
	const record = ({ id, created, finished }: Scan) => ({
		...{
			id,
			full_scan_id: `C_${id}`,
			created_at: new Date(start + created * SECOND).toISOString(),
		},
		finished_at: finished > now() ? null : new Date(start + finished * SECOND).toISOString(),
		verbose_verdict: finished > now() ? null : 'CLN',
	});
	return (query: URLSearchParams) => {
		const from = Number(query.get('start')) - start / SECOND;
		const to = query.has('end') ? Number(query.get('end')) - start / SECOND : Infinity;
		const inside = scans.filter(({ created }) => created >= from && created <= to);
		const at = Number(query.get('at') ?? 0);
		query.set('at', String(at + PAGE));
		const next = inside.length > at + PAGE ? `https://s/?${query.toString()}` : null;
		const body = {
			results: inside.slice(at, at + PAGE).map(record),
			next,
			has_more: next !== null,
		};
		return { asked: { now: now(), from, to, scans: inside.length }, body };
	};
}

/** @param answering The random number is between 0 and 1, the same in every run. */
export async function live(
	tenant: Tenant,
	answering: (asked: Asked, random: number) => Answering,
): Promise<Lived> {
	const clock = new FakeClock();
	const random = seededRandom(4711);
	const now = () => clock.monotonic() / SECOND;
	const scans: Scan[] = [];
	const callTimes: number[] = [];

	const page = pagesOf(scans, clock);
	const request = async ({ url, timeout = 0 }: IHttpRequestOptions) => {
		callTimes.push(now());
		const { pathname, searchParams } = new URL(url);
		const isList = pathname.endsWith('/list/');
		const { asked, body } = page(searchParams);
		const { after, status = 200 } = isList
			? answering(asked, random())
			: { after: 0.3, status: 404 };
		await clock.sleep(Math.min(after * SECOND, timeout));
		if (after * SECOND >= timeout) {
			throw Object.assign(new Error('timeout'), { code: 'ECONNABORTED' });
		}
		const text = JSON.stringify(status === 200 ? body : { detail: 'no' });
		const headers = {
			'content-type': 'application/json',
			date: new Date(clock.now()).toUTCString(),
		};
		return { statusCode: status, headers, body: streamOf(text) };
	};

	const { callsPerMinute } = tenant;
	const credential = { environment: 'custom', baseUrl: 'https://s.example', callsPerMinute };
	// The calls of one token count together, and so would those of several tests.
	const context = executionTo(request, { ...credential, apiToken: `tenant-token-${++tenants}` });
	const scanService = await scanServices(context, transportOn(clock, seededRandom(1)))();
	const lookups = new VerdictLookups(clock);
	const delays: number[] = [];
	let withoutVerdict = 0;
	const submit = async () => {
		const [shortest, longest] = tenant.takes;
		const takes = shortest + random() * (longest - shortest);
		const one = { id: scans.length + 1, created: now(), finished: now() + takes };
		scans.push(one);
		const outcome = await lookups.waitFor({
			scanId: String(one.id),
			listFrom: clock.now() - 30 * SECOND,
			listTo: clock.now() + 120 * SECOND,
			waitUntil: clock.monotonic() + tenant.waits * SECOND,
			scans: scanService,
		});
		if (!outcome.finished) throw new Error('no verdict');
		delays.push(now() - one.finished);
	};
	const waits: Array<Promise<void>> = [];
	const submitAll = async () => {
		while (now() < tenant.hours * 3600) {
			waits.push(submit().catch(() => void withoutVerdict++));
			await clock.sleep((60 / tenant.scansPerMinute) * (0.5 + random()) * SECOND);
		}
	};
	const all = submitAll();
	await clock.run();
	await all;
	await Promise.all(waits);
	delays.sort((a, b) => a - b);
	const delayOf = (part: number) => delays[Math.floor((delays.length - 1) * part)];
	return {
		...{ waits: waits.length, withoutVerdict, median: delayOf(0.5), p95: delayOf(0.95) },
		callsInAMinute: mostWithin(callTimes, 60),
		callsOnAverage: (callTimes.length * 60) / now(),
	};
}

function mostWithin(times: number[], seconds: number): number {
	let most = 0;
	let first = 0;
	for (const [index, time] of times.entries()) {
		while (times[first] <= time - seconds) first++;
		most = Math.max(most, index - first + 1);
	}
	return most;
}
