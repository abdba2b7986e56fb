import { PAGE_SIZES } from '../../../../nodes/ConsoleAuditLog/reading/pageSize';
import type { History, HistoryStep } from '../support/historyOfTrigger';
import { HistoryOfTrigger } from '../support/historyOfTrigger';
import { SETTINGS } from '../support/modelPoll';
import { BEGIN } from '../support/scenario';
import type { Traits } from '../support/serviceFamily';
import { FINE_WEATHER, written } from '../support/serviceFamily';

// What random histories found, reduced to what it takes. Times are milliseconds from the beginning.

const HOUR = 3_600_000;

const plain: Traits = {
	...{ lastToken: 'null', tokens: 'text', tokenMarks: 'entry', tokenLife: Infinity },
	...{
		singleUse: false,
		staleToken: 400,
		largestPage: Infinity,
		largerPage: 'clamped',
		largestFrom: 0,
	},
	...{ order: 'stable', sinceStep: 1, times: 'iso', ids: 'text', date: 'right' },
};

/** A trigger without a lookback that gets five entries a page. */
const poll: HistoryStep = {
	...{ wait: 0, budget: 40_000, weather: FINE_WEATHER, fate: 'carriesOn', back: 0, credential: 0 },
	settings: { ...SETTINGS, lookbackMs: 0, pageSize: 5 },
};

function history(times: number[], some: Partial<Traits>): History {
	const traits = { ...plain, ...some };
	const entries = times.map((at, number) => {
		const time = BEGIN + at;
		return { time, appearsAt: time, entry: written(number, time, traits) };
	});
	return {
		...{ traits, entries, steps: [poll], mode: 'default', start: 'oldest' },
		...{ lookbackMs: 0, clockAhead: 0, calmCallMs: 0, changesCredential: false },
	};
}

it('a console that goes by whole seconds, and more in one of them than a poll reads, is read past it', async () => {
	const times = [...Array<number>(21).fill(3), ...Array<number>(19).fill(8), HOUR / 2];
	const found = history(times, { sinceStep: 1000, date: 'missing' });
	// Four pages a poll, and nothing is long enough ago by n8n's clock.
	Object.assign(found, { clockAhead: -HOUR, calmCallMs: 9000 });
	await expect(new HistoryOfTrigger(found).run()).resolves.toBeUndefined();
});

describe('in pages of 5, 12 and 50', () => {
	const sizes = { ...PAGE_SIZES };

	beforeAll(() => Object.assign(PAGE_SIZES, { first: 5, growing: [5, 12, 50], smallest: 2 }));

	afterAll(() => Object.assign(PAGE_SIZES, sizes));

	it('what is read once more from the oldest entry on, and not to the end, does not come once more', async () => {
		const quarters = Array.from({ length: 7 }, (_, at) => ((at + 1) * HOUR) / 4);
		const times = [...Array<number>(11).fill(0), ...quarters];
		const found = history(times, {
			...{ lastToken: 'empty', singleUse: true, staleToken: 'noAnswer' },
			...{ largestPage: 14, largerPage: 'empty', date: 'before1970' },
		});
		Object.assign(found, { steps: [], mode: 'durable', clockAhead: -HOUR, calmCallMs: 9000 });
		await expect(new HistoryOfTrigger(found).run()).resolves.toBeUndefined();
	});
});
