import * as fc from 'fast-check';
import { PAGE_SIZES } from '../../../../nodes/ConsoleAuditLog/reading/pageSize';
import { propertyRuns } from '../../../support/propertyRuns.cts';
import { histories, historiesOfEarlier, historiesOfLost } from '../support/histories';
import type { History, HistoryStep } from '../support/historyOfTrigger';
import { HistoryOfTrigger } from '../support/historyOfTrigger';
import { SETTINGS } from '../support/modelPoll';
import { BEGIN } from '../support/scenario';
import type { Traits } from '../support/serviceFamily';
import { FINE_WEATHER, written } from '../support/serviceFamily';

/** Sizes at which a log of a few hundred entries is a backlog. */
beforeAll(() => {
	PAGE_SIZES.first = 5;
	PAGE_SIZES.growing = [5, 12, 50];
	PAGE_SIZES.smallest = 2;
});

test('whatever the console, with faults, restarts and kills: nothing is lost, nothing comes twice, and the trigger is never stuck', async () => {
	await fc.assert(
		fc.asyncProperty(histories, async (history) => await new HistoryOfTrigger(history).run()),
		propertyRuns(400),
	);
}, 7_200_000);

test('nothing is lost where the console lists entries of before `since` as well', async () => {
	await fc.assert(
		fc.asyncProperty(
			historiesOfEarlier,
			async (history) => await new HistoryOfTrigger(history).run(),
		),
		propertyRuns(200),
	);
}, 7_200_000);

test('what a console loses costs none of the others', async () => {
	await fc.assert(
		fc.asyncProperty(historiesOfLost, async (history) => await new HistoryOfTrigger(history).run()),
		propertyRuns(200),
	);
}, 7_200_000);

test('another credential, and more late entries before the first remembered one than a poll has time for', async () => {
	const traits: Traits = {
		...{
			lastToken: 'null',
			tokens: 'text',
			tokenMarks: 'entry',
			tokenLife: Infinity,
			singleUse: false,
		},
		...{ staleToken: 400, largestPage: 5, largerPage: 'clamped', largestFrom: 0, order: 'stable' },
		...{ sinceStep: 1, times: 'iso', ids: 'text', date: 'right' },
	};
	const settings = { ...SETTINGS, maxEntries: 2 };
	const late = Array.from({ length: 25 }, () => ({ time: BEGIN - 1, appearsAt: BEGIN + 1 }));
	const step: HistoryStep = {
		...{ wait: 0, budget: 1, weather: FINE_WEATHER, fate: 'carriesOn', back: 0 },
		...{ settings, credential: 1 },
	};
	const history: History = {
		traits,
		entries: [{ time: BEGIN, appearsAt: BEGIN }, ...late].map((one, number) => ({
			...one,
			entry: written(number, one.time, traits),
		})),
		...{ mode: 'default', start: 'oldest', calmCallMs: 9000, lookbackMs: settings.lookbackMs },
		clockAhead: 0,
		changesCredential: false,
		steps: [step],
	};
	await new HistoryOfTrigger(history).run();
	await new HistoryOfTrigger({ ...history, mode: 'durable' }).run();
	const slow = { budget: 40_000, weather: { ...FINE_WEATHER, callMs: 9000 } };
	const more = { ...settings, maxEntries: settings.maxEntries + 30 };
	const third = { ...step, ...slow, wait: 1000, settings: more, credential: 2 };
	await new HistoryOfTrigger({ ...history, steps: [step, third] }).run();
});
