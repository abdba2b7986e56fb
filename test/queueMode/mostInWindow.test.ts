import { mostInWindow } from '../e2e/queueMode/mostInWindow.cts';

const calls = (...seconds: number[]) => seconds.map((second) => ({ atMs: second * 1_000 }));

describe('the most calls in any 60 s', () => {
	it('counts those of the fullest minute, wherever it begins', () => {
		expect(mostInWindow(calls(0, 50, 55, 70, 109, 111, 200))).toBe(4);
	});

	it('lets a call go after 60 s', () => {
		expect(mostInWindow(calls(0, 60))).toBe(1);
		expect(mostInWindow(calls(0, 59.999))).toBe(2);
	});

	it('is 0 without calls', () => {
		expect(mostInWindow([])).toBe(0);
	});
});
