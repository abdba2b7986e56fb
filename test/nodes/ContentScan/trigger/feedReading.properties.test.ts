import * as fc from 'fast-check';
import { propertyRuns } from '../../../support/propertyRuns.cts';
import type { History } from './support/histories';
import { histories, START } from './support/histories';
import type { Delivered } from './support/lifeOfFeed';
import { LifeOfFeed } from './support/lifeOfFeed';
import type { ModelScan } from './support/modelList';
import { ModelList, verdictAt } from './support/modelList';

/** Longest time between two looks at a scan, in seconds, where polls come every minute. */
const LATEST_LOOK = 1800;

function live(history: History): LifeOfFeed {
	const { scans, habits, chosen, settings, callsPerPoll, savesSilentPolls } = history;
	const faults = [...history.faults];
	const list = new ModelList(scans, habits, () => faults.shift() ?? 'none');
	// With none chosen, all are.
	const isChosen = (code: string) => chosen.length === 0 || chosen.includes(code);
	const life = new LifeOfFeed(
		list,
		{ ...settings, isChosen, tellsUnfinished: isChosen('') },
		{ savesSilentPolls, callsPerPoll },
		START,
	);
	let time = START;
	for (const { after, killed } of history.polls) {
		time += after;
		if (killed) life.restart();
		life.poll(time);
	}
	// From here on the service is well, and n8n runs.
	faults.length = 0;
	const end = Math.max(time, START + 5400) + settings.watchSeconds + LATEST_LOOK;
	for (let late = 0; time < end || !life.isSettled(START + 5400); time += 60) {
		life.poll(time);
		if (time >= end && late++ > 500) throw new Error('It never comes to an end');
	}
	return life;
}

function checkScan(scan: ModelScan, events: Delivered[], history: History): void {
	const { chosen, settings } = history;
	const isChosen = (code: string) => chosen.length === 0 || chosen.includes(code);
	const watchEnd = scan.created + settings.watchSeconds;
	const say = (what: string) => {
		throw new Error(`${what}: ${JSON.stringify({ scan, events })}`);
	};
	if (scan.created < START) {
		if (events.length > 0) say('Created before the start, and delivered');
		return;
	}
	const kinds = events.map(({ event }) => event);
	if (kinds.filter((kind) => kind !== 'changed').length > 1) say('Delivered twice');
	const inTime = verdictAt(scan, watchEnd);
	if (inTime === undefined) {
		const finishesLater = scan.verdicts.length > 0;
		if (kinds[0] === 'finished' && finishesLater) return;
		if (events.length === 0 && isChosen('') && !finishesLater) say('Not told to be unfinished');
		if (kinds.some((kind) => kind !== 'unfinished')) say('No such event');
		return;
	}
	if (kinds.includes('unfinished')) say('Finished in time, but told to be unfinished');
	const last = events.at(-1)?.code;
	const possible = scan.verdicts.filter(({ at }) => at >= watchEnd).map(({ code }) => code);
	if (!settings.verdictChanges) {
		if (isChosen(inTime) && events.length !== 1) say('Not delivered');
		if (!isChosen(inTime) && events.length > 0) say('Delivered, but not chosen');
		return;
	}
	// Seen so late that it was another one by then.
	const wasMissed = last === undefined && possible.some((code) => !isChosen(code));
	if (isChosen(inTime) && last !== inTime && !possible.includes(last ?? '') && !wasMissed) {
		say('Not delivered');
	}
	if (last !== undefined && isChosen(last) && last !== inTime && !possible.includes(last)) {
		say('A change was not told');
	}
	let previous: string | undefined;
	for (const { event, code, previousCode } of events) {
		if (event === 'changed' && previousCode === code) say('No change');
		if (previous !== undefined && previous === code) say('Told twice');
		if (!isChosen(code!) && !isChosen(previousCode ?? code!)) say('Not chosen');
		previous = code;
	}
}

function check(history: History): void {
	const { delivered } = live(history);
	for (const scan of history.scans) {
		checkScan(
			scan,
			delivered.filter(({ id }) => id === scan.id),
			history,
		);
	}
	if (delivered.some(({ id }) => id === undefined)) throw new Error('Told of an unknown scan');
}

describe('whatever happens, each scan comes once, and none is lost', () => {
	it.each([
		['verdicts that stay', false],
		['verdicts that change', true],
	])('%s', (_, changes) => {
		fc.assert(fc.property(histories(changes), check), propertyRuns(300));
	});
});
