import { believedTime, earliestTime, toldTime } from '../../../services/serverTime';
import type { Answer } from '../../../transport/call';
import type { ListedScan } from './listLookup';

/**
 * How far before and after the service's own time a scan may be noted as created, in milliseconds:
 * the clocks of the machines behind one address differ, `start` counts in seconds, and a scan may be
 * noted somewhat after its submission was answered.
 */
const MARGINS_MS = { before: 30_000, after: 120_000 };

/** The same where the answer carried no time that can be true, and n8n's own clock has to do. */
const MARGINS_WITHOUT_DATE_MS = { before: 600_000, after: 600_000 };

/**
 * Where in the list a scan may lie, in milliseconds of the service's clock. That clock comes
 * from the `date` header of the answer: n8n's own may be wrong. The service may have noted the beginning
 * of a long submission as the time of creation.
 */
export function placeInList(answer: Answer, now: number): Omit<ListedScan, 'scanId'> {
	const serverTime = believedTime(toldTime(answer), now);
	const time = serverTime ?? now;
	const { before, after } = serverTime === undefined ? MARGINS_WITHOUT_DATE_MS : MARGINS_MS;
	return { listFrom: earliestTime(time, now) - answer.tookMs - before, listTo: time + after };
}
