import { pauses } from '../../../nodes/common/pauses';

/** A clock whose time passes with the work, and whose sleeps are counted. */
function clockOfWork() {
	const clock = { time: 0, rests: 0 };
	const now = () => clock.time;
	const sleep = async () => void clock.rests++;
	return { clock, pause: pauses({ now, monotonic: now, sleep }) };
}

it('items that take no time are not held up', async () => {
	const { clock, pause } = clockOfWork();
	for (let item = 0; item < 1000; item++) await pause();
	expect(clock.rests).toBe(0);
});

it('n8n can do other work every 50 ms', async () => {
	const { clock, pause } = clockOfWork();
	for (let item = 0; item < 100; item++) {
		clock.time += 10;
		await pause();
	}
	expect(clock.rests).toBe(20);
});

it('items side by side rest together', async () => {
	const { clock, pause } = clockOfWork();
	clock.time += 60;
	await Promise.all(Array.from({ length: 10 }, pause));
	expect(clock.rests).toBe(1);
});
