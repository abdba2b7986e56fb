import { Silences } from '../../../../nodes/ContentScan/trigger/silences';

function after(...answersMs: number[]): Silences {
	const silences = new Silences();
	silences.beginPoll();
	for (const took of answersMs) silences.noteAnswer(took);
	return silences;
}

const window = { start: 100, end: 200, kind: 'new' as const, showsNew: true };

it('an answer is waited for as long as there is time, until others have come', () => {
	expect(after().patienceMs).toBe(Infinity);
	expect(after(200).patienceMs).toBe(10_000);
	expect(after(200, 3000, 200).patienceMs).toBe(60_000);
});

it.each([
	[[200], 5000, true],
	[[200], 4000, false],
	[[900], 8000, false],
	[[5000], 12_000, true],
	[[11_000], 13_000, false],
	[[], 12_000, true],
	[[], 8000, false],
])('where answers took %j ms, one that was waited for %i ms has had its time: %p', (...row) => {
	const [answers, waited, hadItsTime] = row as unknown as [number[], number, boolean];
	expect(after(...answers).hadItsTime(waited)).toBe(hadItsTime);
});

it('only the latest poll that had answers counts', () => {
	const silences = after(8000);
	silences.beginPoll();
	expect(silences.patienceMs).toBe(160_000);
	silences.noteAnswer(300);
	expect(silences.patienceMs).toBe(10_000);
	silences.forget();
	expect(silences.patienceMs).toBe(Infinity);
});

it('a window that is silent in three polls in a row is refused, however little time it had', () => {
	const silences = after();
	const says = () => silences.saysSomething({ window, waitedMs: 100 });
	expect([says(), says()]).toEqual([false, false]);
	silences.beginPoll();
	expect(says()).toBe(false);
	silences.beginPoll();
	expect(says()).toBe(true);
});
