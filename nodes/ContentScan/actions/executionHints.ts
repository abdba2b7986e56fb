import type { IExecuteFunctions } from 'n8n-workflow';
import type { ScanService } from '../../../services/scanning/scanService';
import { addHints } from '../../common/addHints';
import type { Hint } from '../../common/addHints';
import type { ItemRun } from './itemRun';

function count(number: number, noun: string): string {
	return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

function missingVerdicts(items: ItemRun[]): Hint[] {
	const missing = (why: ItemRun['noVerdict']) =>
		items.filter((item) => item?.noVerdict === why).length;
	const hints: Hint[] = [];
	if (missing('notWaited') > 0) {
		hints.push({
			type: 'info',
			message: `${count(missing('notWaited'), 'scan')} submitted without waiting: there is no verdict yet. Turn on Wait for Verdict, or read the verdict later with Get.`,
		});
	}
	if (missing('timedOut') > 0) {
		hints.push({
			type: 'warning',
			message: `${count(missing('timedOut'), 'scan')} not finished in time: there is no verdict. Continue only with items whose "clean" is true.`,
		});
	}
	return hints;
}

/** A service may end its list early where a query finds more than it wants to show. */
function unlistedScans(items: ItemRun[]): Hint[] {
	const unlisted = items.reduce((sum, item) => sum + (item?.unlisted ?? 0), 0);
	if (unlisted === 0) return [];
	return [
		{
			type: 'warning',
			message: `The service counts ${count(unlisted, 'scan')} more than its list has shown. To read the others, narrow the time range.`,
		},
	];
}

/** What the licensed rate cost this execution, for each token: what waits is visible. */
function delays({ service, callsPerMinute }: ScanService): Hint[] {
	const { calls, longestMs } = service.delays;
	if (calls === 0) return [];
	return [
		{
			type: 'info',
			message: `${count(calls, 'call')} waited in the queue, the longest for ${count(Math.round(longestMs / 1000), 'second')}. The credentials with this token allow ${callsPerMinute} calls per minute; the service may allow fewer.`,
		},
	];
}

/** @param items With gaps, where an item had not begun. */
export function showHints(context: IExecuteFunctions, items: ItemRun[]): void {
	const services = new Set(items.flatMap((item) => item?.scans ?? []));
	addHints(context, [
		...[...services].flatMap(delays),
		...missingVerdicts(items),
		...unlistedScans(items),
	]);
}
