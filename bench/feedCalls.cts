/**
 * `node --require tsx/cjs bench/feedCalls.cts`: how many calls of the license the Content Scan Trigger
 * spends in a day, beside a schedule that lists the malicious scans of the last 24 hours every minute.
 * The real reading, against a model of the service.
 */
import { isSelected } from '../nodes/ContentScan/trigger/feedSettings.ts';
import { LifeOfFeed } from '../test/nodes/ContentScan/trigger/support/lifeOfFeed.ts';
import type { ModelScan } from '../test/nodes/ContentScan/trigger/support/scanListTraits.ts';
import { ModelScanList } from '../test/nodes/ContentScan/trigger/support/modelScanList.ts';
import { PLAIN } from '../test/nodes/ContentScan/trigger/support/scanListTraits.ts';

const START = Date.UTC(2026, 5, 15) / 1000;
const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const PAGE = 100;
const DEFAULT_VERDICTS = ['malicious', 'suspicious', 'restricted', 'other'];

/** Seconds that a scan takes: most two minutes, some an hour, few half a day, one in 2,000 for ever. */
function duration(index: number): number | undefined {
	if (index % 2000 === 999) return undefined;
	if (index % 100 === 7) return HOUR + (index % 11) * HOUR;
	if (index % 10 === 3) return (index % 60) * MINUTE;
	return 30 + (index % 90);
}

function scansOf(perDay: number, days: number): ModelScan[] {
	return Array.from({ length: perDay * days }, (_, index) => {
		const created = START + Math.floor((index * DAY) / perDay);
		const takes = duration(index);
		const code = index % 20 === 0 ? 'MAL' : 'CLN';
		const verdicts = takes === undefined ? [] : [{ at: created + takes, code }];
		return { id: `scan ${index}`, created, listed: created, verdicts };
	});
}

interface Spent {
	perDay: number;
	most: number;
	kilobytes: number;
}

async function trigger(scans: ModelScan[], days: number, verdictChanges: boolean): Promise<Spent> {
	const list = new ModelScanList(scans, { ...PLAIN, pageSize: PAGE, mostScans: 1000 });
	const isChosen = (code: string) => isSelected(DEFAULT_VERDICTS, code);
	const settings = {
		isChosen,
		tellsUnfinished: true,
		verdictChanges,
		watchSeconds: DAY,
		maxScans: 1000,
	};
	const life = new LifeOfFeed(list, settings, true, START);
	let before = 0;
	for (let time = START; time < START + days * DAY; time += MINUTE) {
		// The last day counts: before it there is less to look for.
		if (time === START + (days - 1) * DAY) before = list.calls;
		await life.poll(time);
	}
	return {
		perDay: list.calls - before,
		most: life.mostCalls,
		kilobytes: Math.ceil(life.largestState / 1024),
	};
}

function schedule(scans: ModelScan[], days: number): number {
	// By the time from which it is listed as malicious.
	const finished = scans.flatMap(({ created, verdicts }) =>
		verdicts.filter(({ code }) => code === 'MAL').map(({ at }) => ({ created, at })),
	);
	let calls = 0;
	for (let time = START + (days - 1) * DAY; time < START + days * DAY; time += MINUTE) {
		const listed = finished.filter(({ created, at }) => created > time - DAY && at <= time);
		calls += Math.max(1, Math.ceil(listed.length / PAGE));
	}
	return calls;
}

async function main(): Promise<void> {
	console.log(
		'| Scans a day | Trigger, calls a day | most in a minute | state | with Verdict Changes | most in a minute | state | Schedule every minute, calls a day |\n| --- | --- | --- | --- | --- | --- | --- | --- |',
	);
	for (const perDay of [100, 1000, 10_000]) {
		const days = 3;
		const scans = scansOf(perDay, days);
		const usual = await trigger(scans, days, false);
		const watching = await trigger(scans, days, true);
		const cells = [
			perDay,
			usual.perDay,
			usual.most,
			`${usual.kilobytes} KB`,
			watching.perDay,
			watching.most,
			`${watching.kilobytes} KB`,
			schedule(scans, days),
		];
		console.log(`| ${cells.map((cell) => cell.toLocaleString('en')).join(' | ')} |`);
	}
}

void main();
